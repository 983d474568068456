import { readFile, stat } from 'node:fs/promises';
import { DocketError } from '../../../errors.ts';
import { malformed } from '../../malformed-report.ts';
import type { SignatureReport } from '../../signature.ts';
import type { Trust } from '../../trust.ts';
import { checkSignature } from './check-signature.ts';
import { readRevisions } from './pdf-revisions.ts';
import type { PdfRevisions } from './pdf-revisions.ts';
import { findSignatureDictionaries } from './signature-dictionaries.ts';

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
  if (found.length > MOST_SIGNATURES) return [malformed('pdf', 'SIGNATURES_TOO_MANY')];
  const reports: SignatureReport[] = [];
  for (const signature of found) {
    const checked = await checkSignature(signature, { bytes, document, trust });
    // What no cross-references list is no part of the document, such as the signature of a file that is attached to it; but
    // if it fits these very bytes, somebody has hidden it.
    const isOurs = signature.isListed !== false || checked.some(({ digestMatches }) => digestMatches);
    if (isOurs) reports.push(...checked);
  }
  return reports;
}

function revisionsOf(bytes: Buffer): PdfRevisions | undefined {
  try {
    return readRevisions(bytes);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}
