import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import { isoTime } from './iso-time.ts';
import { unknownJob } from './job-argument.ts';

/** What decides how long a document stays; times in ISO 8601. */
export interface Custody {
  readonly retain_until: string | null;
  readonly is_held: boolean | null;
  /** requested, disposed, or null where neither is the case. */
  readonly disposal: string | null;
  readonly requested_by: string | null;
  readonly requested_at: string | null;
  readonly disposal_reason: string | null;
  readonly disposed_at: string | null;
  readonly decided_by: string | null;
  /** The open ones. */
  readonly holds: readonly { matter: string; reason: string; placed_at: string; placed_by: string }[];
  readonly amendments: readonly {
    document_kind: string | null;
    note: string | null;
    reason: string;
    amended_at: string;
    amended_by: string;
  }[];
}

/** Retention, open holds, disposal and amendments of a document. Throws ZD020 where there is none. */
export async function custodyOf(reader: Kysely<Database>, job: string): Promise<Custody> {
  const custody = await reader
    .selectFrom('docket.document_custody')
    .select([
      'retain_until',
      'is_held',
      'disposal',
      'requested_by',
      'requested_at',
      'disposal_reason',
      'disposed_at',
      'decided_by',
    ])
    .where('job_id', '=', job)
    .executeTakeFirst();
  if (!custody) throw unknownJob(job);
  const holds = await reader
    .selectFrom('docket.legal_holds')
    .select(['matter', 'reason', 'placed_at', 'placed_by'])
    .where('job_id', '=', job)
    .where('lifted_at', 'is', null)
    .orderBy('legal_hold_id')
    .execute();
  const amendments = await reader
    .selectFrom('docket.amendments')
    .select(['document_kind', 'note', 'reason', 'amended_at', 'amended_by'])
    .where('job_id', '=', job)
    .orderBy('seq')
    .execute();
  return {
    ...custody,
    retain_until: isoTime(custody.retain_until),
    requested_at: isoTime(custody.requested_at),
    disposed_at: isoTime(custody.disposed_at),
    holds: holds.map((hold) => ({ ...hold, placed_at: isoTime(hold.placed_at) })),
    amendments: amendments.map((one) => ({ ...one, amended_at: isoTime(one.amended_at) })),
  };
}
