import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { ageWords } from '../age-words.ts';
import { isoTime } from '../iso-time.ts';
import type { Trouble } from './trouble.ts';

/** How old what waits may become, or how long documents may take. Thresholds are seconds, or a share; null: none. */
export interface ServiceLevel {
  readonly slo: string;
  readonly measure: string;
  /** Null: all documents. */
  readonly lane: string | null;
  readonly warning: number | null;
  readonly breach: number | null;
  readonly rollback: number | null;
}

/** What waits at a stage: of a lane, or of all (`lane` is null). */
export interface StageAge {
  readonly measure: string;
  readonly lane: string | null;
  /** Null where counting would take long. */
  readonly documents: number | null;
  readonly oldest_at: string;
  readonly oldest_seconds: number;
  readonly job_id: string | null;
}

/** How long 95 of 100 documents took at most that were published within the last hour, by lane; null: all. */
export interface PublishedAge {
  readonly lane: string | null;
  readonly documents: number;
  readonly p95_seconds: number;
}

/** Ages of what waits and of what was done, and the levels they are held to. */
export interface ServiceLevels {
  /** In the order in which they go first. */
  readonly lanes: readonly string[];
  readonly slos: readonly ServiceLevel[];
  readonly ages: readonly StageAge[];
  readonly published: readonly PublishedAge[];
}

/** Reads levels and ages. */
export async function serviceLevels(reader: Kysely<Database>): Promise<ServiceLevels> {
  const { rows: lanes } = await sql<{ lane: string }>`
    select lane from docket.lanes order by rank, lane`.execute(reader);
  const { rows: slos } = await sql<ServiceLevel>`
    select slo, measure, lane, warning, breach, rollback from docket.slos order by slo`.execute(reader);
  const { rows: ages } = await sql<StageAge>`
    select h.measure, case g.name when 'lane' then h.group_name end as lane, h.documents::float8, h.oldest_at,
      h.oldest_seconds, h.job_id
    from (values ('all'), ('lane')) as g (name)
    cross join lateral docket.queue_health(g.name) as h`.execute(reader);
  const { rows: published } = await sql<PublishedAge>`
    select case g.name when 'lane' then p.group_name end as lane, p.documents::float8, p.p95_ms / 1000 as p95_seconds
    from (values ('all'), ('lane')) as g (name)
    cross join lateral docket.age_percentiles('1 hour', g.name) as p
    where p.measure = 'whole'`.execute(reader);
  return {
    lanes: lanes.map(({ lane }) => lane),
    slos,
    ages: ages.map((age) => ({ ...age, oldest_at: isoTime(age.oldest_at) })),
    published,
  };
}

/** What each measure says of the oldest, and what to look at where no document is told. */
const SAID: Readonly<Record<string, readonly [is: string, next: string]>> = {
  undeferred: ['waits to be admitted, and nothing deliberately holds it', 'docket admission show'],
  admitted: ['is due, and nobody is at it', 'docket pool list'],
  running: ['is being worked on', 'docket top --once'],
  unpublished: ['is validated and not published', 'docket pool list'],
  unsealed: ['was recorded and is no leaf of the log', 'docket doctor'],
  untold: ['is due to be told to its sender', 'docket webhook list'],
};

/** What is older than it may be. Shares and percentiles are for the workers to judge: they are in docket.alerts. */
export function lateTroubles({ slos, ages }: Pick<ServiceLevels, 'slos' | 'ages'>): Trouble[] {
  return slos.flatMap((level) => {
    const said = SAID[level.measure];
    const age = ages.find(({ measure, lane }) => measure === level.measure && lane === level.lane);
    if (!said || !age) return [];
    const crossed = crossedBy(level, age.oldest_seconds);
    if (crossed === null) return [];
    const [is, next] = said;
    const things = THINGS[level.measure] ?? 'document';
    return [
      {
        severity: crossed.isBroken ? 'alert' : 'warning',
        subject: `slo:${level.slo}`,
        what:
          `The oldest ${things}${level.lane === null ? '' : ` of the lane ${level.lane}`} ${is}, ` +
          `for ${ageWords(age.oldest_seconds)}; ${crossed.isBroken ? 'promised are' : 'a warning is due after'} ${ageWords(crossed.threshold)}.`,
        since: age.oldest_at,
        seconds: age.oldest_seconds,
        next_command: age.job_id === null || level.measure === 'unsealed' ? next : `docket why ${age.job_id}`,
      },
    ];
  });
}

const THINGS: Readonly<Record<string, string>> = { unsealed: 'event', untold: 'delivery' };

function crossedBy(
  { warning, breach, rollback }: ServiceLevel,
  seconds: number,
): { threshold: number; isBroken: boolean } | null {
  const broken = breach ?? rollback;
  if (broken !== null && seconds >= broken) return { threshold: broken, isBroken: true };
  return warning !== null && seconds >= warning ? { threshold: warning, isBroken: false } : null;
}
