import type { PdfRevisions } from './pdf-revisions.ts';
import type { PdfValue } from './pdf-value.ts';
import { entriesOf, isArray, isStream } from './pdf-value.ts';
import { unpackStream } from './stream-data.ts';

/** Certificates and revocation lists that lie in a document, as DER. Whoever can write to the file can add to them. */
export interface ValidationData {
  readonly certificates: readonly Buffer[];
  readonly revocationLists: readonly Uint8Array[];
}

const MOST = 50;

/** Reads the document's security store (DSS, ISO 32000-2, 12.8.4.3), as far as it can be read. */
export function readValidationData(document: PdfRevisions | undefined): ValidationData {
  const nothing = { certificates: [], revocationLists: [] };
  if (!document) return nothing;
  const { view } = document;
  try {
    const root = entriesOf(view.resolve(view.trailer.get('Root')));
    const store = entriesOf(view.resolve(root.get('DSS')));
    const streams = (value: PdfValue | undefined): Buffer[] => {
      const items = view.resolve(value);
      return (isArray(items) ? items.slice(0, MOST) : [])
        .map((item) => view.resolve(item))
        .filter(isStream)
        .map(unpackStream);
    };
    return { certificates: streams(store.get('Certs')), revocationLists: streams(store.get('CRLs')) };
  } catch {
    return nothing;
  }
}
