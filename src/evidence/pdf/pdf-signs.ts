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
/**
 * Every signature has a range of bytes that it was made over, in a dictionary that no stream can hide, because the signature
 * itself stands in the file as it is. A name may be written with some of its letters as numbers.
 */
const MARK = new RegExp(`/${'ByteRange'.replace(/./g, letter)}`);
/** The mark with all of its letters as numbers, but one byte. */
const CARRIED = '/#42#79#74#65#52#61#6e#67#65'.length - 1;

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
      isMarked = MARK.test(text);
      taken += piece.length;
      carried = text.slice(-CARRIED);
    },
    get mayBeSigned() {
      return isPdf && isMarked;
    },
  };
}

function letter(char: string): string {
  const code = char.charCodeAt(0).toString(16);
  const anyCase = code.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:${char}|#${anyCase})`;
}
