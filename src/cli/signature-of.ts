import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';
import { unknownJob } from './job-argument.ts';

/** What can be said of the signatures of a document, to whoever asks. */
export interface SignatureStanding {
  /** Of the signature that speaks for it; absent where there is none. */
  readonly status: string;
  readonly coverage: string | null;
  /** Whether a valid signature covers the whole document: without one it is bytes received, never signed. */
  readonly is_signed: boolean;
  /** All of it in a sentence. */
  readonly statement: string;
}

/** Throws ZD020 where there is no such document, or it is not theirs. */
export async function signatureOf(reader: Kysely<Database>, jobId: string): Promise<SignatureStanding> {
  const { rows } = await sql<SignatureStanding>`
    select s.status, s.coverage, s.is_signed, s.statement
    from docket.seen_signature(${jobId}::uuid) s
    where s.status is not null`.execute(reader);
  const [standing] = rows;
  if (!standing) throw unknownJob(jobId);
  return standing;
}
