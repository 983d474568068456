import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { haltedControls } from '../halted-controls.ts';
import { isoTime } from '../iso-time.ts';
import { openOutages } from '../open-outages.ts';
import { ocrStanding, rollbackTroubles } from '../status/ocr-standing.ts';
import { alertTroubles, openAlerts } from '../status/open-alerts.ts';
import { haltTroubles, outageTroubles, workerTroubles } from '../status/status-troubles.ts';
import type { Trouble } from '../status/trouble.ts';
import { worstTroubles } from '../status/trouble.ts';
import type { LiveWorker } from '../status/worker-slots.ts';
import { workerSlots } from '../status/worker-slots.ts';
import type { Throughput } from './throughput.ts';
import { throughput } from './throughput.ts';

/** By what the stages are told. */
export type Grouping = 'lane' | 'source' | 'kind';

/** How many documents are at a stage, and how old the oldest is there. */
export interface Stage {
  /** Null where counting would take long. */
  readonly documents: number | null;
  readonly oldest_seconds: number;
}

/** The stages of a group; what has none of a stage lacks it. */
export interface GroupRow {
  readonly name: string;
  readonly stages: Readonly<
    Partial<Record<'waiting' | 'undeferred' | 'admitted' | 'running' | 'unpublished', Stage>>
  >;
  readonly oldest_seconds: number;
}

/** An attempt under way. */
export interface RunningAttempt {
  readonly job_id: string;
  readonly task: string;
  readonly attempt: number;
  readonly seconds: number;
  /** How long until it counts as lost; negative where that is past. */
  readonly seconds_left: number;
  readonly document_kind: string;
  readonly source_id: string;
  readonly lane: string;
  /** As it was predicted when it was admitted; null where pages are not limited. */
  readonly pages: number | null;
  readonly host: string | null;
  readonly pid: number | null;
}

/** One look at what goes on. */
export interface TopFacts {
  /** By the clock of the database. */
  readonly at: string;
  readonly deliveries: number;
  /** Lanes in the order in which they go first, all of them; sources and kinds with something under way or waiting, the oldest first. */
  readonly groups: Readonly<Record<Grouping, readonly GroupRow[]>>;
  readonly throughput: Throughput;
  readonly workers: readonly LiveWorker[];
  /** The oldest ones, and how many there are. */
  readonly running: readonly RunningAttempt[];
  readonly running_count: number;
  readonly troubles: readonly Trouble[];
}

export const GROUPINGS: readonly Grouping[] = ['lane', 'source', 'kind'];
const MOST_GROUPS = 50;
const MOST_RUNNING = 50;

/** Reads it, one query after the other, over one connection; none reads more than what is under way and the groups of what waits. */
export async function topFacts(reader: Kysely<Database>): Promise<TopFacts> {
  const { rows: now } = await sql<{ at: string; deliveries: number }>`
    select clock_timestamp() as at, docket.delivery_count()::float8 as deliveries`.execute(reader);
  const ages = await stageRows(reader);
  const { rows: lanes } = await sql<{ lane: string }>`
    select lane from docket.lanes order by rank, lane`.execute(reader);
  const workers = await workerSlots(reader);
  const { rows: running } = await sql<RunningAttempt & { running_count: number }>`
    select a.job_id, a.task, a.attempt, greatest(extract(epoch from clock_timestamp() - a.started_at), 0)::float8 as seconds,
      extract(epoch from a.deadline - clock_timestamp())::float8 as seconds_left, j.document_kind, j.source_id,
      coalesce(j.lane, 'standard') as lane, j.predicted_pages::float8 as pages, l.host, l.pid,
      (count(*) over ())::float8 as running_count
    from docket.jobs j
    cross join lateral (
      select a.* from docket.attempts a where a.job_id = j.job_id and a.attempt = j.attempt and a.ended_at is null limit 1
    ) as a
    left join docket.leases l on l.lease_id = a.lease_id
    where j.next_task is not null and j.token is not null
    order by a.started_at, a.job_id
    limit ${MOST_RUNNING}`.execute(reader);
  const outages = await openOutages(reader);
  const halted = await haltedControls(reader);
  const ocr = await ocrStanding(reader);
  const alerts = await openAlerts(reader);
  const at = isoTime(now[0]?.at ?? '');
  const of = (by: Grouping) => ages.filter((age) => age.by === by);
  return {
    at,
    deliveries: now[0]?.deliveries ?? 0,
    groups: {
      lane: groupRows(
        of('lane'),
        lanes.map(({ lane }) => lane),
      ),
      source: oldestFirst(groupRows(of('source'))).slice(0, MOST_GROUPS),
      kind: oldestFirst(groupRows(of('kind'))).slice(0, MOST_GROUPS),
    },
    throughput: await throughput(reader),
    workers,
    running: running.map(({ running_count: _, ...attempt }) => attempt),
    running_count: running[0]?.running_count ?? 0,
    troubles: worstTroubles([
      ...rollbackTroubles(ocr),
      ...workerTroubles({ workers, levels: { ages: of('lane') } }),
      ...outageTroubles({ outages, at }),
      ...haltTroubles({ halted, ocr, at }),
      ...alertTroubles(alerts),
    ]),
  };
}

interface StageRow extends Stage {
  readonly by: Grouping;
  readonly measure: string;
  readonly name: string;
  readonly oldest_at: string;
}

async function stageRows(reader: Kysely<Database>): Promise<StageRow[]> {
  const { rows } = await sql<StageRow>`
    select g.name as by, h.measure, h.group_name as name, h.documents::float8, h.oldest_at, h.oldest_seconds
    from unnest(${GROUPINGS}::text[]) as g (name)
    cross join lateral docket.queue_health(g.name) as h
    where h.measure <> 'untold'`.execute(reader);
  return rows.map((row) => ({ ...row, oldest_at: isoTime(row.oldest_at) }));
}

function groupRows(ages: readonly StageRow[], known: readonly string[] = []): GroupRow[] {
  const names = [...new Set([...known, ...ages.map(({ name }) => name)])];
  return names.map((name) => {
    const own = ages.filter((age) => age.name === name);
    return {
      name,
      stages: Object.fromEntries(
        own.map(({ measure, documents, oldest_seconds }) => [measure, { documents, oldest_seconds }]),
      ),
      oldest_seconds: Math.max(0, ...own.map(({ oldest_seconds }) => oldest_seconds)),
    };
  });
}

function oldestFirst(groups: readonly GroupRow[]): GroupRow[] {
  return [...groups].sort(
    (one, other) => other.oldest_seconds - one.oldest_seconds || one.name.localeCompare(other.name),
  );
}
