import type { Finding } from '../../findings.ts';
import type { Coverage, LaterChanges } from '../../signature.ts';
import { sectionEndingAt } from './cross-references.ts';
import type { PdfRevisions } from './pdf-revisions.ts';
import { entriesOf, isArray, nameOf } from './pdf-value.ts';
import type { SignatureDictionary } from './signature-dictionaries.ts';
import type { SignatureRange } from './signature-range.ts';

const HARMLESS: readonly (LaterChanges | null)[] = ['none', 'validation_data'];

/** How much of the document a signature covers that fits its ranges, and what came after it. It rests on the bytes alone. */
export function judgeCoverage(
  { dictionary }: SignatureDictionary,
  { end, gap }: SignatureRange,
  bytes: Buffer,
  document: PdfRevisions | undefined,
): { coverage: Coverage; laterChanges: LaterChanges | null; findings: readonly Finding[] } {
  const isRevision = end === bytes.length || sectionEndingAt(bytes, end) !== undefined;
  if (gap || !isRevision) return { coverage: 'partial', laterChanges: null, findings: [] };
  const laterChanges = end === bytes.length ? 'none' : (document?.changesAfter(end) ?? 'other');
  const findings: Finding[] = exceedsPermission(dictionary, laterChanges) ? ['PDF_PERMISSION_EXCEEDED'] : [];
  const coverage = HARMLESS.includes(laterChanges) ? 'whole_document' : 'changed_after_signing';
  return { coverage, laterChanges, findings };
}

/** Whether more was changed than a signer who certified the document allowed. */
function exceedsPermission(dictionary: SignatureDictionary['dictionary'], changes: LaterChanges): boolean {
  const references = dictionary.entries.get('Reference');
  const certification = (isArray(references) ? references : [])
    .map(entriesOf)
    .find((reference) => nameOf(reference.get('TransformMethod')) === 'DocMDP');
  if (!certification) return false;
  const allowed = entriesOf(certification.get('TransformParams')).get('P') ?? 2;
  return changes === 'other' || (allowed === 1 && !HARMLESS.includes(changes));
}
