import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { DocketError } from '../../errors.ts';
import type { CertificateFacts } from '../../report/certificate/facts.ts';
import { checkedTimelines } from '../checked-timelines.ts';
import { unknownJob } from '../job-argument.ts';
import { resultHistory, type PastResult } from '../result-history.ts';
import { signatureOf } from '../signature-of.ts';
import { readSignatures } from '../signature-rows.ts';
import { checkInDatabase, checkpointPlaces, newestReplay, statedDeliveries } from './document-record.ts';
import { provenInclusion } from './proven-inclusion.ts';
import { recordBroken } from './record-broken.ts';

/**
 * All that a certificate says of a document, checked while it is read. Throws ZD020 for an unknown one, ORIGINAL_NOT_FOUND where
 * its bytes were never seen to match or were disposed of, ZD058 for a disputed one, and RECORD_BROKEN where anything does not hold.
 */
export async function certificateFacts(
  reader: Kysely<Database>,
  jobId: string,
  { madeAt, madeBy }: { madeAt: Date; madeBy: string },
): Promise<CertificateFacts> {
  const document = await reader
    .selectFrom('docket.document_overview as o')
    .leftJoin('docket.evidence as e', 'e.job_id', 'o.job_id')
    .select([
      ...(['o.state', 'o.sha256', 'o.is_disputed', 'o.page_count', 'o.characters', 'o.confidence'] as const),
      ...(['o.result_sha256', 'o.config_sha256', 'e.size_bytes', 'e.media_type', 'e.verified_at'] as const),
    ])
    .where('o.job_id', '=', jobId)
    .executeTakeFirst();
  if (!document) throw unknownJob(jobId);
  const { state, sha256, size_bytes, media_type, verified_at } = document;
  if (
    state === null ||
    sha256 === null ||
    size_bytes === null ||
    media_type === null ||
    verified_at === null
  ) {
    throw new DocketError(
      'ORIGINAL_NOT_FOUND',
      'its bytes were never seen to match the hash, or are disposed of',
      {
        hint: `docket status ${jobId}`,
      },
    );
  }
  if (document.is_disputed === true) {
    throw new DocketError('ZD058', `job_id: document ${jobId} failed its newest replay`, {
      hint: `docket timeline ${jobId}`,
    });
  }
  const checks = await checkInDatabase(reader, jobId);
  const events = (await checkedTimelines(reader, [jobId])).get(jobId) ?? [];
  const broken = events.findIndex(({ chainOk }) => !chainOk);
  if (broken >= 0)
    throw recordBroken(`event ${broken + 1} does not follow on the one before, or was altered`);
  const hashes = events.map(({ hash }) => hash);
  const signature = await signatureOf(reader, jobId);
  return {
    madeAt: madeAt.toISOString(),
    madeBy,
    jobId,
    state,
    sha256,
    sizeBytes: Number(size_bytes),
    mediaType: media_type,
    verifiedAt: verified_at,
    statement: signature.statement,
    isSigned: signature.is_signed,
    signatures: (await readSignatures(reader, [jobId])).get(jobId) ?? [],
    reading: readingOf(document, await resultHistory(reader, jobId)),
    deliveries: await statedDeliveries(reader, jobId),
    timeline: events,
    checks,
    checkpoint: await provenInclusion(reader, jobId, hashes),
    places: await checkpointPlaces(reader),
    replay: await newestReplay(reader, jobId),
  };
}

function readingOf(
  {
    page_count: pages,
    characters,
    confidence,
    result_sha256: resultSha256,
    config_sha256: configSha256,
  }: {
    page_count: number | null;
    characters: number | null;
    confidence: number | null;
    result_sha256: string | null;
    config_sha256: string | null;
  },
  history: readonly PastResult[],
): CertificateFacts['reading'] {
  if (pages === null || characters === null || confidence === null) return undefined;
  if (resultSha256 === null || configSha256 === null) return undefined;
  const superseded = history.flatMap(({ result_sha256, published_at, superseded_at }) =>
    superseded_at === null
      ? []
      : [{ resultSha256: result_sha256, publishedAt: published_at, supersededAt: superseded_at }],
  );
  return { pages, characters, confidence, resultSha256, configSha256, superseded };
}
