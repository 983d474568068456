import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp from 'sharp';
import { copyOfScan } from '../../../src/cli/loadtest/copy-of-scan.ts';
import { CliHome } from '../run-docket.ts';

const PICTURES = [
  ['01-bill-of-lading.png', 'image/png'],
  ['12-weighbridge-ticket-phone.jpg', 'image/jpeg'],
  ['14-packing-list.tif', 'image/tiff'],
] as const;

for (const [name, mediaType] of PICTURES) {
  test(`a copy of ${mediaType} has other bytes than the scan and than any other copy, and the very pixels`, async () => {
    const scan = await readFile(CliHome.corpus(name));
    const copies = [1, 2, 12].map((copy) => copyOfScan(scan, mediaType, copy));
    assert.equal(new Set([scan, ...copies].map((bytes) => bytes.toString('latin1'))).size, 4);
    const pixels = await sharp(scan).raw().toBuffer();
    for (const copy of copies) {
      // A decoder that has anything to complain of refuses.
      assert.ok((await sharp(copy, { failOn: 'warning' }).raw().toBuffer()).equals(pixels));
    }
  });
}

test('a remark in a PNG is a chunk whose checksum is right, as bytes after the end would be another matter', async () => {
  const copy = copyOfScan(await readFile(CliHome.corpus('01-bill-of-lading.png')), 'image/png', 7);
  assert.equal((await sharp(copy).metadata()).comments?.[0]?.text, 'copy 7 of docket loadtest');
  assert.equal(copy.subarray(-8, -4).toString('latin1'), 'IEND');
});

test('a copy of a PDF begins with the PDF, and its end is still among the last bytes', async () => {
  const scan = await readFile(CliHome.corpus('15-arrival-notice.pdf'));
  const copy = copyOfScan(scan, 'application/pdf', 3);
  assert.ok(copy.subarray(0, scan.length).equals(scan));
  assert.match(copy.subarray(-100).toString('latin1'), /%%EOF\s+%copy 3 of docket loadtest\n$/);
});
