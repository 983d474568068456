import type { Reader } from '../../db/read-as.ts';
import { boundGroups } from './bounded-groups.ts';
import type { Sample } from './metric-table.ts';
import { STANDING, STANDING_BY } from './metric-table.ts';

interface Row {
  readonly by: string;
  readonly measure: string;
  readonly group: string;
  /** Null: counting is not bounded. */
  readonly documents: number | null;
  readonly oldest: number;
}

/** What stands somewhere now, and how old the oldest is there. */
export async function readStanding(reader: Reader): Promise<Sample[]> {
  const { rows } = await reader.query<Row>(
    `select v.name as by, h.measure, h.group_name as "group", h.documents::float8, coalesce(h.oldest_seconds, 0) as oldest
     from unnest($1::text[]) as v (name)
     cross join lateral docket.queue_health(v.name) as h`,
    [STANDING_BY],
  );
  const all = rows.filter(({ by }) => by === 'all');
  const empty = STANDING.filter((measure) => !all.some((row) => row.measure === measure)).map(
    (measure): Row => ({ by: 'all', measure, group: '', documents: 0, oldest: 0 }),
  );
  const groups = STANDING_BY.filter((by) => by !== 'all').flatMap((by) =>
    boundGroups(
      rows.filter((row) => row.by === by),
      { weightOf: ({ oldest }) => oldest, keyOf: ({ measure }) => measure, merge },
    ),
  );
  return [...all, ...empty, ...groups].flatMap(samplesOf);
}

/** The oldest of both; how many, where both were counted. */
function merge(one: Row, other: Row): Row {
  return {
    ...one,
    oldest: Math.max(one.oldest, other.oldest),
    documents: one.documents === null || other.documents === null ? null : one.documents + other.documents,
  };
}

function samplesOf({ by, measure, group, documents, oldest }: Row): Sample[] {
  const labels = { measure, by, group };
  // Clocks may step back; an age does not.
  const value = Math.max(oldest, 0);
  return [
    { metric: 'oldest', labels, value },
    ...(documents === null ? [] : [{ metric: 'documents' as const, labels, value: documents }]),
  ];
}
