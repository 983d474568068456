import { sql, type Kysely } from 'kysely';
import { keptCheckpoint } from '../../checkpoints/kept-checkpoint.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/rows.ts';
import type { SealingFacts } from '../sealing-facts.ts';
import { behindSince } from './checkpoint-copies.ts';
import type { Finding } from './finding.ts';

/** How far signing reaches. */
export interface Signing {
  readonly sealed: number;
  readonly signed: number | null;
  /** Age of the first seal that no recorded checkpoint counts. */
  readonly unsignedSeconds: number;
  readonly keyRecorded: boolean;
}

/** A checkpoint is due at most so long after a seal, and then some. */
const SIGNED_WITHIN_SECONDS = 600;

/** Whether checkpoints are signed at all, whoever does it. */
export async function signingStands(reader: Kysely<Database>): Promise<Signing> {
  const newest = await reader
    .selectFrom('docket_audit.checkpoints')
    .select('note')
    .orderBy('epoch', 'desc')
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  const signed = newest ? keptCheckpoint(newest.note).size : null;
  const { rows } = await sql<{ sealed: number; has_key: boolean }>`
    select coalesce((select size from docket_audit.seals order by seal_no desc limit 1), 0)::float8 as sealed,
      exists (select from docket_audit.checkpoint_keys) as has_key`.execute(reader);
  const { behindSeconds } = await behindSince(reader, signed ?? 0n);
  return {
    sealed: rows[0]?.sealed ?? 0,
    signed: signed === null ? null : Number(signed),
    unsignedSeconds: behindSeconds,
    keyRecorded: rows[0]?.has_key ?? false,
  };
}

/** What is sealed and never signed is held by nothing but the database. */
export function signingFindings(
  { sealed, signed, unsignedSeconds, keyRecorded }: Signing,
  { checkpointSeconds }: Pick<Config, 'checkpointSeconds'>,
): Finding[] {
  if (sealed === (signed ?? 0) || unsignedSeconds <= SIGNED_WITHIN_SECONDS + checkpointSeconds) return [];
  return [
    {
      severity: 'problem',
      what:
        signed === null
          ? `${sealed} events are sealed, and no checkpoint was ever signed`
          : `the newest checkpoint is of ${signed} leaves, and ${sealed} are sealed, the first of them ${Math.round(unsignedSeconds / 60)} minutes ago`,
      consequence: 'nobody outside can hold the log to what it says now',
      remedy: keyRecorded
        ? 'start a worker on the host that has the key (DOCKET_LOG_KEY), and see docket status'
        : 'name a file for the key of one worker: DOCKET_LOG_KEY, which makes it',
    },
  ];
}

/** What holds sealing up, and what keeps checkpoints from being signed. */
export function sealingFindings({ code, blocker, remedy, checkpoint_fork: fork }: SealingFacts): Finding[] {
  return [
    ...(code === null
      ? []
      : [
          {
            severity: 'problem' as const,
            what: `${code}: ${blocker ?? (code === 'RECOVERY_NEEDED' ? 'the database was restored' : 'no worker seals')}`,
            consequence:
              'what is recorded now is in no tree yet: it can be changed, and only receipts would show it',
            remedy,
          },
        ]),
    ...(fork === null
      ? []
      : [
          {
            severity: 'problem' as const,
            what: fork,
            consequence: 'the database was restored or changed, and nothing is signed until you know which',
            remedy: 'docs/checkpoints.md, after a restore; then: docket recovery declare --reason TEXT',
          },
        ]),
  ];
}
