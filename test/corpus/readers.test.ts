import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { readManifest } from '../../corpus/manifest.ts';
import { LOCKED_PDF_PASSWORD } from '../../corpus/recipes/to-be-refused.ts';

const bytesOf = (file: string): Buffer =>
  readFileSync(new URL(`../../corpus/documents/${file}`, import.meta.url));

test('pdfium finds as many pages in each open PDF as the manifest states', async () => {
  const pdfium = await PDFiumLibrary.init();
  for (const entry of readManifest().filter((e) => e.media_type === 'application/pdf' && e.truth !== null)) {
    const document = await pdfium.loadDocument(bytesOf(entry.file));
    assert.equal(document.getPageCount(), entry.pages, entry.file);
    document.destroy();
  }
  pdfium.destroy();
});

test('pdfium refuses the locked PDF without the password and opens it with it', async () => {
  const pdfium = await PDFiumLibrary.init();
  await assert.rejects(pdfium.loadDocument(bytesOf('16-locked.pdf')), /password/i);
  await assert.rejects(pdfium.loadDocument(bytesOf('16-locked.pdf'), 'wrong'), /password/i);
  const document = await pdfium.loadDocument(bytesOf('16-locked.pdf'), LOCKED_PDF_PASSWORD);
  assert.equal(document.getPageCount(), 1);
  document.destroy();
  pdfium.destroy();
});

test('libvips decodes every page of the images, and sees that one of them was cut short', async () => {
  for (const entry of readManifest().filter((e) => e.media_type.startsWith('image/'))) {
    const bytes = bytesOf(entry.file);
    const { pages = 1 } = await sharp(bytes).metadata();
    assert.equal(pages, entry.pages, entry.file);
    for (let page = 0; page < pages; page++) {
      const decoded = sharp(bytes, { page, failOn: 'truncated' }).stats();
      if (entry.file.startsWith('17-')) await assert.rejects(decoded, /premature end/);
      else assert.ok((await decoded).channels[0]!.stdev > 5, `${entry.file} page ${page + 1} has contrast`);
    }
  }
});

test('the photographed ticket is stored upright only for a reader that knows little-endian EXIF', async () => {
  const stored = await sharp(bytesOf('12-weighbridge-ticket-phone.jpg')).metadata();
  assert.equal(stored.orientation, 6);
  assert.ok(stored.height > stored.width, 'stored as portrait');
  assert.ok(stored.autoOrient.width > stored.autoOrient.height, 'shown as landscape');
});
