import { readFile, stat } from 'node:fs/promises';
import { DocketError } from '../../../errors.ts';
import { malformed } from '../../malformed-report.ts';
import type { SignatureReport } from '../../signature.ts';
import type { Trust } from '../../trust.ts';
import { checkSignature, isTimestamp } from './check-signature.ts';
import type { DocumentTime } from './check-signature.ts';
import { readRevisions } from './pdf-revisions.ts';
import type { PdfRevisions } from './pdf-revisions.ts';
import { findSignatureDictionaries } from './signature-dictionaries.ts';
import type { SignatureDictionary } from './signature-dictionaries.ts';
import { readValidationData } from './validation-data.ts';

/** A document that more people sign does not exist. */
const MOST_SIGNATURES = 50;

/** Reports each signature in the file, which is read whole. Rejects only if it cannot be read at all. */
export async function checkDocument(
  file: string,
  trust: Trust,
  mostBytes: number,
): Promise<readonly SignatureReport[]> {
  if ((await stat(file)).size > mostBytes) {
    return [{ ...malformed('pdf', 'PDF_TOO_LARGE'), status: 'unsupported' }];
  }
  const bytes = await readFile(file);
  const document = revisionsOf(bytes);
  const found = findSignatureDictionaries(bytes, document);
  if (!found || found.length > MOST_SIGNATURES) return [malformed('pdf', 'SIGNATURES_TOO_MANY')];
  const beside = readValidationData(document);
  const reports = new Map<SignatureDictionary, readonly SignatureReport[]>();
  const times: DocumentTime[] = [];
  // Time-stamps first: they say when the signatures that they cover were there.
  for (const signature of [...found].sort((a, b) => Number(isTimestamp(b)) - Number(isTimestamp(a)))) {
    const checked = await checkSignature(signature, { bytes, document, trust, beside, times });
    reports.set(signature, checked);
    times.push(...checked.flatMap(timeOf));
  }
  return found.flatMap((signature) => {
    const checked = reports.get(signature) ?? [];
    // What no cross-references list is no part of the document, such as the signature of a file that is attached to it; but
    // if it fits these very bytes, somebody has hidden it.
    const isOurs = signature.isListed !== false || checked.some(({ digestMatches }) => digestMatches);
    return isOurs ? checked : [];
  });
}

/** What a valid time-stamp of the document proves: all up to a byte was there. */
function timeOf({ purpose, status, coverage, signedAt, details }: SignatureReport): DocumentTime[] {
  if (purpose !== 'timestamp' || status !== 'valid' || coverage === 'partial' || signedAt === null) return [];
  const [, , next = 0, rest = 0] = String(details['byteRange']).split(' ').map(Number);
  return [{ end: next + rest, at: new Date(signedAt) }];
}

function revisionsOf(bytes: Buffer): PdfRevisions | undefined {
  try {
    return readRevisions(bytes);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}
