import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import type { Finding } from './finding.ts';

/** How the clocks stand to each other, in milliseconds. */
export interface Clocks {
  /** How far the clock of the database is ahead of that of this host. */
  readonly ahead: number;
  /** By how much that may be wrong: half of the fastest round trip. */
  readonly uncertain: number;
  /** How far the newest time that the database has noted lies in its own future; negative where it is past. */
  readonly notedAhead: number;
}

const ROUNDS = 5;
/** What a host whose clock is kept by NTP never comes near to. */
const WARN_MS = 1_000;
const PROBLEM_MS = 60_000;

/** Compares the clock of the database with a clock (that of this host), and with what the database has noted until now. */
export async function compareClocks(
  reader: Kysely<Database>,
  now: () => number = () => Date.now(),
): Promise<Clocks> {
  let best: Pick<Clocks, 'ahead' | 'uncertain'> | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = now();
    const { rows } = await sql<{ at: number }>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(reader);
    const answered = now();
    const uncertain = (answered - asked) / 2;
    if (best === undefined || uncertain < best.uncertain) {
      best = { ahead: (rows[0]?.at ?? 0) - (asked + answered) / 2, uncertain };
    }
  }
  const { rows } = await sql<{ ahead: number | null }>`
    select extract(epoch from greatest(
        (select sealed_at from docket_audit.seals order by seal_no desc limit 1),
        (select max(renewed_at) from docket.leases where closed_at is null),
        (select replayed_at from docket.replays order by replay_id desc limit 1)
      ) - clock_timestamp())::float8 * 1000 as ahead`.execute(reader);
  return { ahead: 0, uncertain: 0, ...best, notedAhead: rows[0]?.ahead ?? -Infinity };
}

/** Whether they differ by more than was lost on the way. */
export function clockFindings({ ahead, uncertain, notedAhead }: Clocks): Finding[] {
  const certain = Math.abs(ahead) - uncertain;
  const findings: Finding[] = [];
  if (certain > WARN_MS) {
    findings.push({
      severity: certain > PROBLEM_MS ? 'problem' : 'warning',
      what: `the clock of the database is ${seconds(ahead)} ${ahead > 0 ? 'ahead of' : 'behind'} that of this host`,
      consequence:
        'times of the log, of tokens, of locks in a bucket and of checkpoint files contradict each other; ' +
        'beyond 15 minutes an S3 store refuses every request of the host that is wrong',
      remedy: 'find out which one is wrong (chronyc tracking), then: timedatectl set-ntp true',
    });
  }
  if (notedAhead > WARN_MS) {
    findings.push({
      severity: 'problem',
      what: `the database noted times that lie ${seconds(notedAhead)} in its future: its clock was set back`,
      consequence: 'events are recorded as if they came before others that they followed; leases end late',
      remedy: 'on the host of the database: chronyc tracking, then timedatectl set-ntp true',
    });
  }
  return findings;
}

function seconds(ms: number): string {
  return `${(Math.abs(ms) / 1000).toFixed(1)} s`;
}
