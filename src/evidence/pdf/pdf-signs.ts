import { BYTE_RANGE_MARK, LONGEST_MARK } from './byte-range-mark.ts';

/** Looks for signs of signatures in a document while it is read for another purpose. */
export interface PdfSigns {
  /** The next piece of the document. */
  take(piece: Uint8Array): void;
  /** Whether it is a PDF that says somewhere that it is signed. Only reading it as a PDF can tell whether that is true. */
  readonly mayBeSigned: boolean;
}

/** How far into a file a PDF's header may stand. */
const HEADER_WITHIN = 1024;
const HEADER = '%PDF-';

export function createPdfSigns(): PdfSigns {
  let taken = 0;
  let carried = '';
  let isPdf = false;
  let isMarked = false;
  return {
    take(piece) {
      if (isMarked || (taken > HEADER_WITHIN && !isPdf)) return;
      const text = carried + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1');
      const before = taken - carried.length;
      if (!isPdf) {
        const header = text.indexOf(HEADER);
        isPdf = header >= 0 && before + header <= HEADER_WITHIN - HEADER.length;
      }
      isMarked = text.search(BYTE_RANGE_MARK) >= 0;
      taken += piece.length;
      carried = text.slice(1 - LONGEST_MARK);
    },
    get mayBeSigned() {
      return isPdf && isMarked;
    },
  };
}
