import { writePdf } from '../ocr/sample-pdf.ts';
import type { OpensslAuthority } from './openssl-authority.ts';

const PLACE = 8000;

/** Objects of the unsigned sample: catalogue 1, pages 2, two pages 3 and 4 with their contents 5 and 6. */
export const SAMPLE = {
  catalogue: '<< /Type /Catalog /Pages 2 0 R >>',
  firstPage: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R >>',
  next: 7,
} as const;

export function samplePdf(): Buffer {
  return writePdf([
    SAMPLE.catalogue,
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    SAMPLE.firstPage,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R >>',
    streamOf('BT (57 cartons) Tj ET'),
    streamOf('BT (second page) Tj ET'),
  ]);
}

export function streamOf(text: string): string {
  return `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
}

export interface Revision {
  /** Values by number of the object. */
  readonly objects: Readonly<Record<number, string>>;
  /** Places that the cross-references name beside those of the objects. */
  readonly offsets?: Readonly<Record<number, number>>;
  /** Numbers whose objects stand in the file, but are not listed. */
  readonly unlisted?: readonly number[];
  readonly trailer?: string;
  /** What the section before is said to be; the last one of the file without it. */
  readonly previous?: number;
}

/** Appends a revision as the format says it, by a table of cross-references. */
export function appendRevision(bytes: Buffer, revision: Revision): Buffer {
  let text = bytes.toString('latin1');
  if (!text.endsWith('\n')) text += '\n';
  const previous = revision.previous ?? Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]);
  const offsets = new Map(
    Object.entries(revision.offsets ?? {}).map(([number, offset]) => [Number(number), offset]),
  );
  for (const [number, value] of Object.entries(revision.objects)) {
    if (revision.unlisted?.includes(Number(number)) !== true) offsets.set(Number(number), text.length);
    text += `${number} 0 obj\n${value}\nendobj\n`;
  }
  const xref = text.length;
  text += 'xref\n';
  for (const [number, offset] of offsets)
    text += `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`;
  text += `trailer\n<< /Size 100 /Root 1 0 R /Prev ${previous} ${revision.trailer ?? ''} >>\n`;
  return Buffer.from(`${text}startxref\n${xref}\n%%EOF\n`, 'latin1');
}

export interface Signing {
  readonly authority: OpensslAuthority;
  readonly signer: string;
  /** Numbers of the signature's field and value. */
  readonly field: number;
  readonly value: number;
  /** All fields of the form after signing, and of the first page. */
  readonly fields: readonly number[];
  readonly subFilter?: string;
  readonly entries?: string;
  readonly rectangle?: string;
  readonly objects?: Readonly<Record<number, string>>;
  /** Makes the signature of the ranges, which lie in a file; by CMS without it. */
  readonly sign?: (file: string) => Buffer;
}

/** Signs a document in a new revision, over the whole of it. */
export function signPdf(bytes: Buffer, signing: Signing): Buffer {
  const { authority, signer, field, value, fields } = signing;
  const list = fields.map((number) => `${number} 0 R`).join(' ');
  const revised = appendRevision(bytes, {
    objects: {
      1: SAMPLE.catalogue.replace('>>', `/AcroForm << /Fields [${list}] /SigFlags 3 >> >>`),
      3: SAMPLE.firstPage.replace(/>>$/, `/Annots [${list}] >>`),
      [field]:
        `<< /Type /Annot /Subtype /Widget /FT /Sig /T (S${field}) /Rect [${signing.rectangle ?? '0 0 0 0'}] ` +
        `/F 132 /P 3 0 R /V ${value} 0 R >>`,
      [value]:
        `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${signing.subFilter ?? 'ETSI.CAdES.detached'} ` +
        `${signing.entries ?? ''} /ByteRange [0 ********** ********** **********] /Contents <${'0'.repeat(PLACE)}> >>`,
      ...signing.objects,
    },
  });
  return fillIn(revised, (file) => signing.sign?.(file) ?? authority.sign(file, signer), authority);
}

/** Writes the range and the signature into the places that were kept for them. */
function fillIn(bytes: Buffer, sign: (file: string) => Buffer, authority: OpensslAuthority): Buffer {
  const text = bytes.toString('latin1');
  const start = text.lastIndexOf(`<${'0'.repeat(PLACE)}>`);
  const next = start + PLACE + 2;
  const numbers = [start, next, text.length - next].map((number) => String(number).padStart(10, '0'));
  const ranged = text.replace('********** ********** **********', numbers.join(' '));
  authority.write('ranges.bin', Buffer.from(ranged.slice(0, start) + ranged.slice(next), 'latin1'));
  const signature = sign('ranges.bin').toString('hex').padEnd(PLACE, '0');
  return Buffer.from(`${ranged.slice(0, start)}<${signature}>${ranged.slice(next)}`, 'latin1');
}
