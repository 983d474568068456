import { crc32 } from 'node:zlib';

/** What every PNG begins with: its signature and the header chunk. */
const PNG_HEADER_BYTES = 8 + 25;
const JPEG_START_BYTES = 2;

/**
 * The same picture in other bytes, so that it is another document: a remark that no reader shows, with the number of the copy. It
 * stands where the format has a place for it (a comment of a JPEG, a text of a PNG), else after the end, which readers of TIFF and
 * PDF do not look at.
 */
export function copyOfScan(scan: Buffer, mediaType: string, copy: number): Buffer {
  const remark = Buffer.from(`copy ${copy} of docket loadtest`, 'latin1');
  switch (mediaType) {
    case 'image/jpeg':
      return inserted(scan, JPEG_START_BYTES, jpegComment(remark));
    case 'image/png':
      return inserted(scan, PNG_HEADER_BYTES, pngText(remark));
    default:
      return Buffer.concat([scan, Buffer.from('\n%'), remark, Buffer.from('\n')]);
  }
}

function inserted(scan: Buffer, at: number, piece: Buffer): Buffer {
  return Buffer.concat([scan.subarray(0, at), piece, scan.subarray(at)]);
}

function jpegComment(remark: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(remark.length + 2, 2);
  return Buffer.concat([head, remark]);
}

function pngText(remark: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from('tEXtComment\0', 'latin1'), remark]);
  const chunk = Buffer.alloc(4 + typed.length + 4);
  chunk.writeUInt32BE(typed.length - 4, 0);
  typed.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(typed), 4 + typed.length);
  return chunk;
}
