import type { Kysely } from 'kysely';
import { readText } from '../../db/noted-readings.ts';
import type { Database } from '../../db/rows.ts';
import type { RecognisedWord } from '../../ocr/engine.ts';
import type { ReportDocument, ReportFailure, ReportPage } from '../../report/report.ts';
import type { CheckedEvent } from '../checked-timelines.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { readSignatures } from '../signature-rows.ts';
import type { DemoOutcome } from './demo-outcomes.ts';
import type { PagePictures } from './page-pictures.ts';

/** Nobody sees what is masked without an event that says why. */
const READING = 'the report of the demo shows all pages';

/** The outcomes as the report shows them; pages are read and drawn when their turn comes. */
export async function reportDocuments(
  database: DatabaseAccess,
  outcomes: readonly DemoOutcome[],
  timelines: ReadonlyMap<string, readonly CheckedEvent[]>,
  pictures: PagePictures,
): Promise<ReportDocument[]> {
  const failures = await failureMeanings(database.reader);
  const signatures = await readSignatures(
    database.reader,
    outcomes.map((one) => one.jobId),
  );
  return outcomes.map((outcome): ReportDocument => {
    const { code, message, duplicateOf, claimedSha256, configSha256, resultSha256, stored } = outcome;
    const isFirst = duplicateOf === null;
    const failure = code === null ? undefined : failures.get(code);
    return {
      file: outcome.file,
      jobId: outcome.jobId,
      kind: outcome.kind,
      source: outcome.sourceId,
      mediaType: outcome.mediaType,
      sizeBytes: stored.sizeBytes,
      state: isFirst ? outcome.state : 'duplicate',
      duplicateOf: duplicateOf ?? undefined,
      sha256: stored.sha256.toString('hex'),
      claimedSha256: claimedSha256?.toString('hex'),
      stated: { capturedAt: stored.modifiedAt.toISOString() },
      standing: outcome.standing,
      isDisputed: outcome.isDisputed,
      statement: outcome.statement,
      signatures: signatures.get(outcome.jobId) ?? [],
      receipt: outcome.receipt ?? undefined,
      failure: failure && { ...failure, message: message ?? undefined },
      pageCount: outcome.pageCount,
      confidence: outcome.confidence,
      firstWords: outcome.firstWords,
      reading:
        outcome.engine === null || configSha256 === null
          ? undefined
          : { engine: outcome.engine, configSha256, resultSha256: resultSha256 ?? undefined },
      timeline: timelines.get(outcome.jobId) ?? [],
      pages: () => (isFirst ? pagesOf(database, outcome, pictures) : []),
    };
  });
}

async function* pagesOf(
  { as }: DatabaseAccess,
  { jobId, resultSha256, path }: DemoOutcome,
  pictures: PagePictures,
): AsyncGenerator<ReportPage> {
  if (resultSha256 === null) return;
  const rows = await readText(as('docket_auditor'), { jobId, reason: READING });
  for (const row of rows) {
    const jpeg = await pictures.picture(path, row.page_no);
    yield {
      number: row.page_no,
      verdict: row.verdict as ReportPage['verdict'],
      confidence: row.confidence,
      width: row.width_px,
      height: row.height_px,
      rotation: row.rotation_degrees,
      angle: row.angle_degrees,
      text: row.text,
      words: (row.words as RecognisedWord[]).map(([text, confidence, x0, y0, x1, y1]) => {
        return { text, confidence, x0, y0, x1, y1 };
      }),
      ...(jpeg && { jpeg }),
    };
  }
}

async function failureMeanings(reader: Kysely<Database>): Promise<Map<string, ReportFailure>> {
  const rows = await reader
    .selectFrom('docket.failure_codes')
    .select(['code', 'meaning', 'remedy'])
    .execute();
  return new Map(rows.map((row) => [row.code, row]));
}
