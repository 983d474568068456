import type { Reader } from '../../db/read-as.ts';
import { MOST_GROUPS, OTHER } from './bounded-groups.ts';
import type { Sample } from './metric-table.ts';
import { QUARANTINE_WINDOWS, SEVERITIES } from './metric-table.ts';

/** What the work depends on: workers, slots, outages, closed gates; alerts; how far the log is sealed; and what was quarantined. */
export async function readSurroundings(reader: Reader): Promise<Sample[]> {
  const samples = [readQuarantined, readPools, readOutages, readGates, readAlerts, readCounts];
  const read: Sample[] = [];
  // One after the other: a connection answers one question at a time.
  for (const sample of samples) read.push(...(await sample(reader)));
  return read;
}

async function readQuarantined(reader: Reader): Promise<Sample[]> {
  const { rows } = await reader.query<{ code: string; window: string; documents: number }>(
    `select v.label as "window", q.code, sum(q.documents)::float8 as documents
     from unnest($1::text[], $2::text[]) as v (label, length)
     cross join lateral docket.quarantine_growth(v.length::interval) as q
     group by v.label, q.code`,
    [QUARANTINE_WINDOWS.map(({ window }) => window), QUARANTINE_WINDOWS.map(({ interval }) => interval)],
  );
  return rows.map(({ code, window, documents }) => ({
    metric: 'quarantined',
    labels: { code, window },
    value: documents,
  }));
}

async function readPools(reader: Reader): Promise<Sample[]> {
  const { rows } = await reader.query<{
    pool: string;
    granted: number;
    running: number;
    limit: number | null;
  }>(
    `select pool, granted, running, case when per_process = 0 then 0 else fleet end as "limit"
     from docket_api.pools order by pool`,
  );
  return rows.flatMap(({ pool, ...slots }) =>
    Object.entries(slots).flatMap(([kind, value]): Sample[] =>
      value === null ? [] : [{ metric: 'poolSlots', labels: { pool, kind }, value }],
    ),
  );
}

async function readOutages(reader: Reader): Promise<Sample[]> {
  const { rows } = await reader.query<{ dependency: string; hosts: number }>(
    `select dependency, count(host) filter (where state <> 'closed')::float8 as hosts
     from docket.breaker_states group by dependency order by dependency`,
  );
  return rows.map(({ dependency, hosts }) => ({
    metric: 'outages',
    labels: { dependency },
    value: hosts,
  }));
}

/** Those that are closed for longest are told of by name; of the others, that there are some. */
async function readGates(reader: Reader): Promise<Sample[]> {
  const { rows } = await reader.query<{ target: string }>(
    `select target from docket_api.admission_gates order by (target = 'all') desc, closed_at, target limit $1`,
    [MOST_GROUPS + 1],
  );
  const targets = rows.map(({ target }, at) => (at < MOST_GROUPS ? target : OTHER));
  return [
    ...(targets.includes('all') ? [] : [{ target: 'all', value: 0 }]),
    ...targets.map((target) => ({ target, value: 1 })),
  ].map(({ target, value }) => ({ metric: 'admissionClosed', labels: { target }, value }));
}

async function readAlerts(reader: Reader): Promise<Sample[]> {
  const { rows } = await reader.query<{ severity: string; alerts: number }>(
    `select severity, count(*)::float8 as alerts from docket.alerts where closed_at is null group by severity`,
  );
  const { rows: rounds } = await reader.query<{ age: number }>(
    `select greatest(extract(epoch from clock_timestamp() - watched_at), 0)::float8 as age from docket.watch_rounds`,
  );
  return [
    ...SEVERITIES.map((severity): Sample => {
      const value = rows.find((row) => row.severity === severity)?.alerts ?? 0;
      return { metric: 'alertsOpen', labels: { severity }, value };
    }),
    ...rounds.map(({ age }): Sample => ({ metric: 'watchAge', labels: {}, value: age })),
  ];
}

async function readCounts(reader: Reader): Promise<Sample[]> {
  const { rows } = await reader.query<{ workers: number; size: number }>(
    `select s.size::float8, (
       select count(*)::float8 from docket.leases where closed_at is null and deadline > clock_timestamp()
     ) as workers
     from docket.seal_status() as s`,
  );
  return rows.flatMap(({ workers, size }): Sample[] => [
    { metric: 'workers', labels: {}, value: workers },
    { metric: 'sealSize', labels: {}, value: size },
  ]);
}
