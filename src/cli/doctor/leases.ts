import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { VERSION } from '../../version.ts';
import { isoTime } from '../iso-time.ts';
import type { Finding } from './finding.ts';

/** Processes that do the work, as their leases tell of them. */
export interface Workers {
  /** Whose lease holds. */
  readonly living: number;
  /** Leases whose time is over and that nobody has ended. */
  readonly stale: readonly { host: string; pid: number; since: string }[];
  /** Living ones that do not say which version they run, and began before the database was last migrated. */
  readonly older: readonly { host: string; pid: number; since: string }[];
  /** Living ones that run another version than this program. */
  readonly foreign: readonly { host: string; pid: number; version: string }[];
  /** Hosts of living ones with the farthest that one of their clocks was ahead of that of the database, in milliseconds. */
  readonly hostClocks: readonly { host: string; ahead: number }[];
  readonly migratedAt: string | null;
  /** Leases that were lost, not closed, within the last day, by host. */
  readonly lost: readonly { host: string; times: number }[];
  /** Attempts that are open, and belong to no living lease. */
  readonly orphans: number;
}

/** Lost so often within a day, a host has a trouble of its own. */
const OFTEN_LOST = 3;
/** What a host whose clock is kept by NTP never comes near to. */
const CLOCK_OFF_MS = 1_000;
/** A worker reads its clock before it asks; so long may the answer take, which makes the clock seem behind. */
const ASKED_WITHIN_MS = 5_000;
const CLOCK_PROBLEM_MS = 60_000;

/** Reads the leases, as a program of this version sees them. */
export async function workersAtWork(reader: Kysely<Database>, own: string = VERSION): Promise<Workers> {
  const { rows: open } = await sql<{
    host: string;
    pid: number;
    is_stale: boolean;
    is_older: boolean;
    since: string;
    migrated_at: string | null;
    version: string | null;
    host_ahead: number | null;
  }>`
    select l.host, l.pid, l.version, extract(epoch from l.host_at - l.renewed_at)::float8 * 1000 as host_ahead, l.deadline < clock_timestamp() as is_stale,
      coalesce(l.opened_at < m.replayed_at, false) as is_older,
      case when l.deadline < clock_timestamp() then l.deadline else l.opened_at end as since,
      m.replayed_at as migrated_at
    from docket.leases l
    left join lateral (select replayed_at from docket.replays order by replay_id desc limit 1) as m on true
    where l.closed_at is null
    order by l.host, l.pid`.execute(reader);
  const { rows: lost } = await sql<{ host: string; times: number }>`
    select host, count(*)::integer as times
    from docket.leases
    where close_reason = 'lost' and closed_at > clock_timestamp() - interval '1 day'
    group by host
    order by times desc, host`.execute(reader);
  const { rows: orphans } = await sql<{ count: number }>`
    select count(*)::integer as count
    from docket.attempts a
    where a.ended_at is null
      and not exists (
        select from docket.leases l
        where l.lease_id = a.lease_id and l.closed_at is null and l.deadline >= clock_timestamp()
      )`.execute(reader);
  const told = (rows: typeof open) =>
    rows.map(({ host, pid, since }) => ({ host, pid, since: isoTime(since) }));
  const living = open.filter((one) => !one.is_stale);
  return {
    living: living.length,
    stale: told(open.filter((one) => one.is_stale)),
    older: told(living.filter((one) => one.is_older && one.version === null)),
    foreign: living.flatMap(({ host, pid, version }) =>
      version === null || version === own ? [] : [{ host, pid, version }],
    ),
    hostClocks: farthestByHost(living),
    migratedAt: isoTime(open[0]?.migrated_at ?? null),
    lost,
    orphans: orphans[0]?.count ?? 0,
  };
}

function farthestByHost(rows: readonly { host: string; host_ahead: number | null }[]): Workers['hostClocks'] {
  const farthest = new Map<string, number>();
  for (const { host, host_ahead: ahead } of rows) {
    if (ahead !== null && Math.abs(ahead) >= Math.abs(farthest.get(host) ?? 0)) farthest.set(host, ahead);
  }
  return [...farthest].map(([host, ahead]) => ({ host, ahead }));
}

/** Whether somebody works, on what is there now, and stays; `own` is the version of this program. */
export function leaseFindings(workers: Workers, own: string = VERSION): Finding[] {
  const { living, stale, older, foreign, hostClocks, migratedAt, lost, orphans } = workers;
  const findings: Finding[] = [];
  if (living === 0) {
    findings.push({
      severity: 'warning',
      what: 'no worker is at work',
      consequence: 'what is delivered waits, and nothing is sealed or signed',
      remedy: 'docket worker, or docket up',
    });
  }
  for (const { host, pid, since } of stale) {
    findings.push({
      severity: 'warning',
      what: `the lease of process ${pid} on ${host} ran out at ${since}, and nobody has ended it`,
      consequence: 'what it was at is not taken over until a worker is at work',
      remedy:
        living === 0 ? 'docket worker' : 'see the log of the living workers: they reap leases each second',
    });
  }
  if (orphans > 0) {
    findings.push({
      severity: 'warning',
      what: `${orphans} ${orphans === 1 ? 'attempt is' : 'attempts are'} open of processes that are gone`,
      consequence: 'these documents wait until a living worker has settled them',
      remedy: living === 0 ? 'docket worker' : null,
    });
  }
  for (const { host, pid, since } of older) {
    findings.push({
      severity: 'warning',
      what: `process ${pid} on ${host} has its lease since ${since}, and the database was migrated at ${migratedAt ?? ''}`,
      consequence: 'it may be of an earlier version, which calls commands as they were',
      remedy: `on ${host}: stop it by SIGTERM, and start this version`,
    });
  }
  for (const { host, pid, version } of foreign) {
    findings.push({
      severity: 'warning',
      what: `process ${pid} on ${host} runs Docket ${version}, and this is ${own}`,
      consequence: 'what it does is what that version does; of an older one, commands may be gone or changed',
      remedy: `on ${host}: stop it by SIGTERM, and start the version that the database was migrated by`,
    });
  }
  for (const { host, ahead } of hostClocks.filter((one) => isClockOff(one.ahead))) {
    findings.push({
      severity: Math.abs(ahead) > CLOCK_PROBLEM_MS ? 'problem' : 'warning',
      what: `the clock of ${host}, where workers run, is about ${(Math.abs(ahead) / 1000).toFixed(1)} s ${
        ahead > 0 ? 'ahead of' : 'behind'
      } that of the database`,
      consequence:
        'its log and its checkpoint files contradict the record; beyond 15 minutes an S3 store refuses every request of it',
      remedy: `on ${host}: chronyc tracking, then timedatectl set-ntp true`,
    });
  }
  for (const { host, times } of lost.filter((one) => one.times >= OFTEN_LOST)) {
    findings.push({
      severity: 'warning',
      what: `workers on ${host} lost their lease ${times} times within a day`,
      consequence:
        'each time their work is done anew; a document that was alone with them twice is quarantined',
      remedy: `on ${host}: see the log of the worker for LEASE_LOST, and the kernel's for "Out of memory"`,
    });
  }
  return findings;
}

function isClockOff(ahead: number): boolean {
  return ahead > CLOCK_OFF_MS || ahead < -(CLOCK_OFF_MS + ASKED_WITHIN_MS);
}
