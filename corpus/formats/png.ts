import { crc32 } from 'node:zlib';
import { deflate } from 'pako';
import type { Raster } from '../raster.ts';

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

/**
 * Encodes a grey page as PNG with its resolution. The deflate is one written in JavaScript: those of zlib builds choose
 * different matches on different processors.
 */
export function encodePng(page: Raster, dpi: number): Buffer {
  if (page.channels !== 1) throw new Error('Only grey pages are written as PNG.');
  const header = Buffer.alloc(13);
  header.writeUInt32BE(page.width, 0);
  header.writeUInt32BE(page.height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const perMetre = Math.round(dpi / 0.0254);
  const physical = Buffer.alloc(9, 1);
  physical.writeUInt32BE(perMetre, 0);
  physical.writeUInt32BE(perMetre, 4);
  const rows = new Uint8Array((page.width + 1) * page.height);
  for (let y = 0; y < page.height; y++) {
    rows.set(page.data.subarray(y * page.width, (y + 1) * page.width), y * (page.width + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('pHYs', physical),
    chunk('IDAT', deflate(rows, { level: 9 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
