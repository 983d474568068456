import type { PdfCipher } from './pdf-cipher.ts';
import type { FaxPage } from './fax.ts';

/** A scanned page: the image as it came from the scanner, and a turn that a viewer applies (clockwise degrees). */
export interface ScannedPdfPage {
  image: { jpeg: Buffer; width: number; height: number; channels: 1 | 3; dpi: number } | { fax: FaxPage };
  rotate?: 0 | 90 | 180 | 270;
}

interface PdfObject {
  dictionary: string;
  stream?: Buffer;
}

/** Writes scanned pages as a PDF 1.7: one image a page, byte for byte what it was given. */
export function encodeScannedPdf(
  pages: readonly ScannedPdfPage[],
  title: string,
  cipher?: PdfCipher,
): Buffer {
  const objects: PdfObject[] = [];
  const kids: string[] = [];
  for (const page of pages) {
    const at = FIRST_FREE + objects.length;
    const { image } = page;
    const dpi = 'fax' in image ? image.fax.dpi : image.dpi;
    const { width, height } = 'fax' in image ? image.fax : image;
    const size = [(width / dpi) * 72, (height / dpi) * 72].map((points) => points.toFixed(2));
    kids.push(`${at} 0 R`);
    objects.push(
      {
        dictionary: `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.join(' ')}] /Rotate ${page.rotate ?? 0} /Contents ${at + 1} 0 R /Resources << /XObject << /Im0 ${at + 2} 0 R >> >>`,
      },
      { dictionary: '', stream: Buffer.from(`q ${size[0]} 0 0 ${size[1]} 0 0 cm /Im0 Do Q`) },
      'fax' in image ? faxObject(image.fax) : jpegObject(image),
    );
  }
  return assemble(objects, kids, title, cipher);
}

/** Writes pages of placed text (points from the lower left corner) in a viewer's own Helvetica: no scan at all. */
export function encodeTextPdf(
  pages: readonly { x: number; y: number; size: number; text: string }[][],
  title: string,
): Buffer {
  const objects: PdfObject[] = [
    { dictionary: '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding' },
  ];
  const kids: string[] = [];
  for (const lines of pages) {
    const at = FIRST_FREE + objects.length;
    kids.push(`${at} 0 R`);
    const content = lines
      .map(({ x, y, size, text }) => `BT /F0 ${size} Tf ${x} ${y} Td (${escapeText(text)}) Tj ET`)
      .join('\n');
    objects.push(
      {
        dictionary: `/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${at + 1} 0 R /Resources << /Font << /F0 ${FIRST_FREE} 0 R >> >>`,
      },
      { dictionary: '', stream: Buffer.from(content, 'latin1') },
    );
  }
  return assemble(objects, kids, title);
}

/** Objects 1 to 3 are the catalogue, the page tree and the document information. */
const FIRST_FREE = 4;

function escapeText(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}

function jpegObject(image: { jpeg: Buffer; width: number; height: number; channels: 1 | 3 }): PdfObject {
  const space = image.channels === 1 ? '/DeviceGray' : '/DeviceRGB';
  return {
    dictionary: `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height} /ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode`,
    stream: image.jpeg,
  };
}

function faxObject(fax: FaxPage): PdfObject {
  const blackIs1 = fax.photometric === 1 ? 'true' : 'false';
  return {
    dictionary: `/Type /XObject /Subtype /Image /Width ${fax.width} /Height ${fax.height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${fax.width} /Rows ${fax.height} /BlackIs1 ${blackIs1} >>`,
    stream: fax.strip,
  };
}

/** Numbers the objects, encrypts what is to be encrypted, and writes the cross-reference table and trailer. */
function assemble(
  pageObjects: readonly PdfObject[],
  kids: readonly string[],
  title: string,
  cipher?: PdfCipher,
): Buffer {
  const titleText = cipher
    ? `<${cipher.encrypt(Buffer.from(title, 'latin1')).toString('hex')}>`
    : `(${escapeText(title)})`;
  const objects: PdfObject[] = [
    { dictionary: '/Type /Catalog /Pages 2 0 R' },
    { dictionary: `/Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}]` },
    { dictionary: `/Title ${titleText}` },
    ...pageObjects,
  ];
  if (cipher) objects.push({ dictionary: cipher.dictionary });
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let length = parts[0]!.length;
  const write = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const stream = object.stream && cipher ? cipher.encrypt(object.stream) : object.stream;
    const size = stream ? ` /Length ${stream.length}` : '';
    write(Buffer.from(`${index + 1} 0 obj\n<< ${object.dictionary}${size} >>\n`, 'latin1'));
    if (stream) write(Buffer.concat([Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]));
    write(Buffer.from('endobj\n'));
  }
  const start = length;
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  write(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}`));
  const id = '<d0c4e7000000000000000000c0a9c0a9>';
  const encrypt = cipher ? ` /Encrypt ${objects.length} 0 R` : '';
  write(
    Buffer.from(
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R /ID [${id} ${id}]${encrypt} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
