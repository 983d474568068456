import { checkCms } from '../../cms/check-cms.ts';
import type { CmsQuestion } from '../../cms/check-cms.ts';
import { contentDigests } from '../../cms/content.ts';
import type { Finding } from '../../findings.ts';
import { malformed } from '../../malformed-report.ts';
import type { SignatureReport } from '../../signature.ts';
import type { Trust } from '../../trust.ts';
import { bytesAsMessage } from '../../message/verify-message.ts';
import { judgeCoverage } from './coverage.ts';
import type { PdfRevisions } from './pdf-revisions.ts';
import { nameOf } from './pdf-value.ts';
import type { SignatureDictionary } from './signature-dictionaries.ts';
import { readSignatureRange } from './signature-range.ts';
import type { SignatureRange } from './signature-range.ts';
import { readStatedTime } from './stated-time.ts';
import type { ValidationData } from './validation-data.ts';
import { noticeAtForm, noticeAtPadding, signatureLength } from './signature-notices.ts';

const PIECE = 1024 * 1024;

/** A time at which all bytes before `end` were there, by a valid time-stamp. */
export interface DocumentTime {
  readonly end: number;
  readonly at: Date;
}

/** What a signature is checked in. */
interface SignedDocument {
  readonly bytes: Buffer;
  readonly document: PdfRevisions | undefined;
  readonly trust: Trust;
  readonly beside: ValidationData;
  readonly times: readonly DocumentTime[];
}

export function isTimestamp({ dictionary }: SignatureDictionary): boolean {
  return nameOf(dictionary.entries.get('SubFilter')) === 'ETSI.RFC3161';
}

/** Reports one signature of the document: one report for each signer in it. */
export async function checkSignature(
  signature: SignatureDictionary,
  document: SignedDocument,
): Promise<SignatureReport[]> {
  const { bytes, document: revisions } = document;
  const { entries } = signature.dictionary;
  const subFilter = nameOf(entries.get('SubFilter')) ?? null;
  const purpose = isTimestamp(signature) ? 'timestamp' : 'signature';
  const details = { subFilter, object: signature.object.number };
  const range = readSignatureRange(entries, bytes);
  if (typeof range === 'string') {
    const refused = { ...malformed('pdf', range, details), purpose } as const;
    return [
      range === 'BYTE_RANGE_OUTSIDE' ? { ...refused, status: 'invalid', digestMatches: false } : refused,
    ];
  }
  const reports = await checkContents(range, signature, document);
  const notices: Finding[] = [
    ...(revisions ? [] : (['PDF_UNREADABLE'] as const)),
    ...(range.gap ? [range.gap] : []),
    ...(reports.length > 1 ? (['SIGNERS_SEVERAL'] as const) : []),
    ...noticeAtPadding(range.contents),
    ...noticeAtForm(signature, revisions),
  ];
  const coverage = judgeCoverage(signature, range, bytes, revisions);
  return reports.map((report) => {
    const isOverDocument = report.digestMatches === true;
    const findings = [...report.findings, ...notices, ...(isOverDocument ? coverage.findings : [])];
    return {
      ...report,
      purpose,
      coverage: isOverDocument ? coverage.coverage : null,
      laterChanges: isOverDocument ? coverage.laterChanges : null,
      findings: [...new Set(findings)],
      details: { ...report.details, ...details, byteRange: range.numbers.join(' ') },
    };
  });
}

async function checkContents(
  range: SignatureRange,
  signature: SignatureDictionary,
  { bytes, trust, beside, times }: SignedDocument,
): Promise<readonly SignatureReport[]> {
  const { entries } = signature.dictionary;
  const subFilter = nameOf(entries.get('SubFilter'));
  const stamps = times.filter(({ end }) => end > range.end).map(({ at }) => at.getTime());
  const { contents } = range;
  if (contents.every((byte) => byte === 0)) return [malformed('pdf', 'PDF_CONTENTS_EMPTY')];
  if (subFilter === 'adbe.x509.rsa_sha1')
    return [{ ...malformed('pdf', 'ALGORITHM_WEAK'), status: 'weak_algorithm' }];
  const question: Omit<CmsQuestion, 'content'> = {
    der: contents.subarray(0, signatureLength(contents)),
    trust,
    signal: new AbortController().signal,
    format: 'pdf',
    beside: {
      ...beside,
      signedAt: range.gap ? null : readStatedTime(entries.get('M')),
      stampedAt: stamps.length > 0 ? new Date(Math.min(...stamps)) : null,
    },
  };
  if (subFilter === 'adbe.pkcs7.sha1') return checkSha1(question, range, bytes);
  return checkCms({
    ...question,
    content: messageOf(range, bytes),
    expect: isTimestamp(signature) ? 'timestamp' : 'detached',
  });
}

/** The signature encloses the SHA-1 of the ranges: who can make two documents with the same one has it sign both. */
async function checkSha1(
  question: Omit<CmsQuestion, 'content'>,
  range: SignatureRange,
  bytes: Buffer,
): Promise<readonly SignatureReport[]> {
  const digest = await contentDigests(messageOf(range, bytes), question.signal)({ hash: 'sha1' });
  const reports = await checkCms({ ...question, content: bytesAsMessage(digest) });
  return reports.map((report) =>
    report.digestMatches === true
      ? { ...report, status: 'weak_algorithm', findings: [...report.findings, 'ALGORITHM_WEAK'] }
      : report,
  );
}

function messageOf({ numbers }: SignatureRange, bytes: Buffer): CmsQuestion['content'] {
  const [start, length, next, rest] = numbers;
  return {
    sizeBytes: length + rest,
    async *open() {
      yield* pieces(bytes.subarray(start, start + length));
      yield* pieces(bytes.subarray(next, next + rest));
    },
  };
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}
