import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { readCheckpoint } from '../../domain/checkpoint.ts';
import { isIncluded } from '../../domain/merkle.ts';
import type { CheckpointFacts } from '../../report/certificate/facts.ts';
import { recordBroken } from './record-broken.ts';

/**
 * The newest checkpoint, and how many of the document's events that were read, with these hashes, are under it: each is proven
 * here, by the proof that the database gives. Undefined while there is no checkpoint. Throws RECORD_BROKEN where a proof does not hold.
 */
export async function provenInclusion(
  reader: Kysely<Database>,
  jobId: string,
  hashes: readonly string[],
): Promise<CheckpointFacts | undefined> {
  const newest = await reader
    .selectFrom('docket_audit.checkpoints')
    .select(['note', 'recorded_at'])
    .orderBy('epoch', 'desc')
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest) return undefined;
  const { origin, size, root } = readCheckpoint(newest.note);
  const { rows } = await sql<{ seq: number; index: string; proof: Buffer[] }>`
    select e.seq, i.index, docket.inclusion_proof(i.index, ${String(size)}::bigint) as proof
    from docket_audit.events e
    cross join lateral (select docket.leaf_index(e.job_id, e.seq) as index) i
    where e.job_id = ${jobId}::uuid and e.seq <= ${hashes.length} and i.index < ${String(size)}::bigint
    order by e.seq`.execute(reader);
  for (const { seq, index, proof } of rows) {
    const leaf = Buffer.from(hashes[seq - 1] ?? '', 'hex');
    if (!isIncluded(leaf, BigInt(index), size, proof, root)) {
      throw recordBroken(`event ${seq} is not under the checkpoint of size ${String(size)}`);
    }
  }
  return {
    note: newest.note,
    origin,
    size: String(size),
    recordedAt: newest.recorded_at,
    includedEvents: rows.length,
  };
}
