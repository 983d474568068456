import type { FaxPage } from './fax.ts';

/** Writes group 4 pages as one little-endian TIFF of as many directories, tags in order, no time and no software name. */
export function encodeTiff(pages: readonly FaxPage[]): Buffer {
  const parts: Buffer[] = [Buffer.from('49492a0000000000', 'hex')];
  let length = 8;
  let pointer = { buffer: parts[0]!, at: 4 };
  const append = (part: Buffer): number => {
    const padded = part.length % 2 === 0 ? part : Buffer.concat([part, Buffer.alloc(1)]);
    parts.push(padded);
    length += padded.length;
    return length - padded.length;
  };
  for (const [index, page] of pages.entries()) {
    const strip = append(page.strip);
    const rational = Buffer.alloc(8);
    rational.writeUInt32LE(page.dpi, 0);
    rational.writeUInt32LE(1, 4);
    const resolution = append(rational);
    const entries: [tag: number, type: 3 | 4 | 5, count: number, value: number][] = [
      [254, 4, 1, pages.length > 1 ? 2 : 0], // NewSubfileType: a page of several
      [256, 4, 1, page.width],
      [257, 4, 1, page.height],
      [258, 3, 1, 1], // BitsPerSample
      [259, 3, 1, 4], // Compression: T.6
      [262, 3, 1, page.photometric],
      [266, 3, 1, 1], // FillOrder
      [273, 4, 1, strip],
      [277, 3, 1, 1], // SamplesPerPixel
      [278, 4, 1, page.height], // RowsPerStrip
      [279, 4, 1, page.strip.length],
      [282, 5, 1, resolution],
      [283, 5, 1, resolution],
      [296, 3, 1, 2], // ResolutionUnit: inch
      [297, 3, 2, index | (pages.length << 16)], // PageNumber
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [i, [tag, type, count, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + i * 12);
      directory.writeUInt16LE(type, 4 + i * 12);
      directory.writeUInt32LE(count, 6 + i * 12);
      directory.writeUInt32LE(value, 10 + i * 12);
    }
    pointer.buffer.writeUInt32LE(append(directory), pointer.at);
    pointer = { buffer: directory, at: directory.length - 4 };
  }
  return Buffer.concat(parts);
}
