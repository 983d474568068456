import type { Reader } from '../../db/read-as.ts';
import { boundGroups } from './bounded-groups.ts';
import type { Sample } from './metric-table.ts';
import type { AGE_WINDOWS } from './metric-table.ts';

interface Row {
  readonly by: string;
  readonly window: string;
  readonly measure: string;
  readonly group: string;
  readonly documents: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

const QUANTILES = { '0.5': 'p50', '0.95': 'p95', '0.99': 'p99' } as const;

/** How long documents took that came out within some windows. */
export async function readAges(
  reader: Reader,
  windows: readonly (typeof AGE_WINDOWS)[number][],
): Promise<Sample[]> {
  const asked = windows.flatMap(({ window, interval, by }) =>
    by.map((one) => ({ window, interval, by: one })),
  );
  const { rows } = await reader.query<Row>(
    `select v.by_what as by, v.label as "window", a.measure, a.group_name as "group", a.documents::float8,
       a.p50_ms / 1000 as p50, a.p95_ms / 1000 as p95, a.p99_ms / 1000 as p99
     from unnest($1::text[], $2::text[], $3::text[]) as v (label, length, by_what)
     cross join lateral docket.age_percentiles(v.length::interval, v.by_what) as a`,
    [asked.map(({ window }) => window), asked.map(({ interval }) => interval), asked.map(({ by }) => by)],
  );
  return asked.flatMap(({ window, by }) => {
    const here = rows.filter((row) => row.window === window && row.by === by);
    const bounded =
      by === 'all'
        ? here
        : boundGroups(here, { weightOf: ({ p95 }) => p95, keyOf: ({ measure }) => measure, merge });
    return bounded.flatMap(samplesOf);
  });
}

/** Of groups that are told of together: as slow as the slowest. */
function merge(one: Row, other: Row): Row {
  return {
    ...one,
    documents: one.documents + other.documents,
    p50: Math.max(one.p50, other.p50),
    p95: Math.max(one.p95, other.p95),
    p99: Math.max(one.p99, other.p99),
  };
}

function samplesOf(row: Row): Sample[] {
  const { measure, window, by, group } = row;
  return [
    ...Object.entries(QUANTILES).map(([quantile, column]): Sample => {
      return { metric: 'age', labels: { measure, window, quantile, by, group }, value: row[column] };
    }),
    { metric: 'ageDocuments', labels: { measure, window, by, group }, value: row.documents },
  ];
}
