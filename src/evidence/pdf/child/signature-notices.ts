import { readElement } from '../../asn1/asn1.ts';
import type { Finding } from '../../findings.ts';
import { readFormFields } from './form-fields.ts';
import type { PdfRevisions } from './pdf-revisions.ts';
import { entriesOf, isReference } from './pdf-value.ts';
import type { SignatureDictionary } from './signature-dictionaries.ts';

/** The bit of SigFlags that says that there are signatures. */
const SIGNATURES_EXIST = 1;

/** Length of the signature within the place that was kept for it; all of that if it cannot be read. */
export function signatureLength(contents: Buffer): number {
  try {
    return readElement(contents).bytes.length;
  } catch {
    return contents.length;
  }
}

/** What is left of the place that was kept for a signature is zeros, or else something was hidden there. */
export function noticeAtPadding(contents: Buffer): readonly Finding[] {
  const isEmpty = contents.subarray(signatureLength(contents)).every((byte) => byte === 0);
  return isEmpty ? [] : ['PDF_PADDING_USED'];
}

/** Whether the signature belongs to the document and to one field of its form. */
export function noticeAtForm(
  { object, isListed }: SignatureDictionary,
  document: PdfRevisions | undefined,
): readonly Finding[] {
  if (!document) return [];
  if (isListed === false) return ['PDF_SIGNATURE_HIDDEN'];
  try {
    const { view } = document;
    const fields = [...readFormFields(view).values()].filter(({ number, entries }) => {
      const value = entries.get('V');
      return (isReference(value) ? value.number : number) === object.number;
    });
    const form = entriesOf(view.resolve(entriesOf(view.resolve(view.trailer.get('Root'))).get('AcroForm')));
    const flags = view.resolve(form.get('SigFlags'));
    return [
      ...(fields.length === 0 ? (['PDF_FIELD_MISSING'] as const) : []),
      ...(fields.length > 1 ? (['PDF_FIELDS_SEVERAL'] as const) : []),
      ...(typeof flags === 'number' && (flags & SIGNATURES_EXIST) !== 0
        ? []
        : (['PDF_SIGNATURE_FLAG_MISSING'] as const)),
    ];
  } catch {
    return ['PDF_FORM_UNREADABLE'];
  }
}
