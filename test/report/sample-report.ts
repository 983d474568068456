import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeReport } from '../../src/report/report.ts';
import type { ReportDocument, ReportPage, ReportProof, ReportSignature } from '../../src/report/report.ts';

export const OPTIONS = { title: 'Test report', madeAt: '2026-09-29T10:00:00.000Z', madeBy: 'docket 0.1.0' };

export function aPage(change: Partial<ReportPage> = {}): ReportPage {
  return {
    number: 1,
    verdict: 'text',
    confidence: 91.25,
    width: 1000,
    height: 1400,
    rotation: 90,
    angle: -1.234,
    text: 'SEAL 884120',
    words: [{ text: 'SEAL', confidence: 96, x0: 10, y0: 20, x1: 110, y1: 50 }],
    jpeg: Buffer.from('ffd8ffe000104a464946', 'hex'),
    ...change,
  };
}

export function aSignature(change: Partial<ReportSignature> = {}): ReportSignature {
  return {
    place: 'envelope',
    format: 'cms',
    purpose: 'signature',
    status: 'valid',
    meaning: 'It is intact, and leads to a trust anchor.',
    coverage: 'whole_document',
    laterChanges: null,
    isIntact: true,
    digestMatches: true,
    signer: 'CN=Depot Nord',
    anchor: 'Depot CA',
    algorithm: 'ecdsa-with-SHA256',
    signedAt: '2026-09-28T17:00:00.000Z',
    signedAtBy: 'signer',
    judgedAt: '2026-09-29T08:00:00.100Z',
    findings: ['signing_time_untrusted'],
    ...change,
  };
}

export function aDocument(change: Partial<ReportDocument> = {}): ReportDocument {
  return {
    file: 'sheet.jpg',
    jobId: '0191d0c4-0000-8000-8000-000000000001',
    kind: 'exception_sheet',
    source: 'harbour-office',
    mediaType: 'image/jpeg',
    sizeBytes: 2048,
    state: 'published',
    sha256: 'ab'.repeat(32),
    stated: { capturedAt: '2026-09-28T16:45:00.000Z' },
    standing: 'received',
    statement: 'Bytes received. It has no signature.',
    signatures: [],
    pageCount: 1,
    confidence: 91.25,
    firstWords: 'SEAL 884120',
    timeline: [
      {
        at: '2026-09-29 08:00:00.1+00',
        event: 'accepted',
        state: 'accepted',
        actor: 'app',
        hash: 'c0'.repeat(32),
        chainOk: true,
      },
      {
        at: '2026-09-29 08:00:00.35+00',
        event: 'admitted',
        state: 'accepted',
        actor: 'docket',
        hash: 'd1'.repeat(32),
        chainOk: true,
      },
    ],
    pages: () => [aPage()],
    ...change,
  };
}

/** The report about the documents, as it is written. */
export async function written(documents: readonly ReportDocument[], proof?: ReportProof): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-report-'));
  try {
    const file = join(folder, 'report.html');
    await writeReport(file, documents, OPTIONS, proof);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}
