import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { DocketError } from '../../src/errors.ts';
import type { Recognition } from '../../src/ocr/engine.ts';
import { makeSamplePdf, writePdf } from './sample-pdf.ts';
import { GENEROUS_MS, makeFolder, never, openEngine, writeSample } from './scratch.ts';

const folder = await makeFolder();
const { engine } = openEngine({ children: 2 });

async function recognise(bytes: Uint8Array): Promise<Recognition> {
  const file = await writeSample(folder, `${String(counter++)}.bin`, bytes);
  return engine.recognise(file, { signal: never(), deadline: GENEROUS_MS });
}
let counter = 0;

const rejectsWith = (bytes: Uint8Array, ...codes: string[]): Promise<void> =>
  assert.rejects(recognise(bytes), (error) => error instanceof DocketError && codes.includes(error.code));

async function warns(bytes: Uint8Array, about: RegExp): Promise<void> {
  const { warnings } = await recognise(bytes);
  assert.ok(
    warnings.some((warning) => about.test(warning)),
    `warnings: ${JSON.stringify(warnings)}`,
  );
}

/** Bytes with some of them changed, from `at` (a share of the length) on. */
function scratched(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const start = Math.floor(bytes.length * at);
  for (let i = start; i < start + 24; i += 1) copy[i] = (copy[i] ?? 0) ^ 0x5a;
  return copy;
}

const cut = (bytes: Uint8Array, at: number): Uint8Array => bytes.subarray(0, Math.floor(bytes.length * at));

let jpeg: Buffer;
let png: Buffer;
let tiff: Buffer;
let pdf: Uint8Array;

before(async () => {
  // Hardly compressible, so that there is something in every part of the file to damage.
  const samples = Buffer.from(Array.from({ length: 800 * 600 }, (_, k) => 128 + ((k * k * 31 + k * 7) % 97)));
  const page = sharp(samples, { raw: { width: 800, height: 600, channels: 1 } });
  jpeg = await page.clone().jpeg({ quality: 60 }).toBuffer();
  png = await page.clone().png().toBuffer();
  tiff = await page.clone().tiff({ compression: 'deflate' }).toBuffer();
  pdf = (await makeSamplePdf([{ lines: ['GATE PASS 4471'] }, { lines: ['SECOND PAGE'] }])).bytes;
});

test('a picture that was cut off is TRUNCATED in every format', async () => {
  await rejectsWith(cut(jpeg, 0.6), 'TRUNCATED');
  await rejectsWith(cut(png, 0.6), 'TRUNCATED');
  await rejectsWith(cut(tiff, 0.6), 'TRUNCATED');
  await rejectsWith(cut(jpeg, 0.002), 'TRUNCATED');
});

// Of pictures only PNG has checksums. In a JPEG or TIFF a change that leaves the code words legal is seen by nobody but
// the hash of the whole object, which the signer's envelope names.
test('a PNG that is damaged inside is CORRUPT', async () => {
  await rejectsWith(scratched(png, 0.5), 'CORRUPT');
});

test('a PDF that was cut off is refused or warned about, wherever the cut is', async () => {
  for (const at of [0.1, 0.5, 0.9, 0.99]) {
    const outcome = await recognise(cut(pdf, at)).catch((error: unknown) => error);
    if (outcome instanceof DocketError) assert.match(outcome.code, /^(TRUNCATED|CORRUPT|NO_PAGES)$/);
    else assert.ok((outcome as Recognition).warnings.length > 0, `cut at ${String(at)}`);
  }
});

test('a picture inside a PDF that is cut off or damaged is warned about', async () => {
  const document = await PDFDocument.create();
  const image = await document.embedJpg(jpeg);
  document.addPage([800, 600]).drawImage(image, { x: 0, y: 0, width: 800, height: 600 });
  const sound = Buffer.from(await document.save({ useObjectStreams: false }));
  assert.deepEqual((await recognise(sound)).warnings, []);
  const start = sound.indexOf(jpeg.subarray(0, 64));
  const damaged = Buffer.from(sound);
  damaged.fill(0, start + Math.floor(jpeg.length / 2), start + jpeg.length);
  await warns(damaged, /JPEG image is damaged/);
});

test('samples that end too early inside a PDF are warned about', async () => {
  const samples = Buffer.alloc(300 * 100, 0x40).toString('latin1');
  const page = (length: number): Buffer =>
    writePdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
      '<< /Length 28 >>\nstream\nq 300 0 0 300 0 0 cm /X Do Q\nendstream',
      '<< /Type /XObject /Subtype /Image /Width 300 /Height 300 /ColorSpace /DeviceGray /BitsPerComponent 8 ' +
        `/Filter /ASCIIHexDecode /Length ${String(length * 2 + 1)} >>\nstream\n` +
        `${Buffer.from(samples.repeat(3).slice(0, length), 'latin1').toString('hex')}>\nendstream`,
    ]);
  assert.deepEqual((await recognise(page(90_000))).warnings, []);
  await warns(page(30_000), /ends after 30000/);
});

test('a PDF that needs a password is ENCRYPTED; one that only forbids printing is read', async () => {
  const locked = await PDFDocument.load(pdf);
  locked.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
  await rejectsWith(await locked.save(), 'ENCRYPTED');
  const restricted = await PDFDocument.load(pdf);
  restricted.encrypt({ userPassword: '', ownerPassword: 'owner', permissions: { printing: false } });
  assert.match((await recognise(await restricted.save())).pages[0]?.text ?? '', /GATE PASS 4471/);
});

test('a PDF whose pages are made by a program, or whose documents are attachments, is not taken for its cover', async () => {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>';
  const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
  const form = '<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [] /XFA 4 0 R >> >>';
  const xfa = '<< /Length 11 >>\nstream\n<xdp></xdp>\nendstream';
  await rejectsWith(writePdf([form, pages, page, xfa]), 'UNSUPPORTED_FORMAT');
  const portfolio =
    '<< /Type /Catalog /Pages 2 0 R /PageMode /UseAttachments /Collection << /Type /Collection >> ' +
    '/Names << /EmbeddedFiles << /Names [(a.pdf) 4 0 R] >> >> >>';
  const attachment = '<< /Type /Filespec /F (a.pdf) /EF << /F 5 0 R >> >>';
  const file = '<< /Type /EmbeddedFile /Length 5 >>\nstream\nhello\nendstream';
  await rejectsWith(writePdf([portfolio, pages, page, attachment, file]), 'UNSUPPORTED_FORMAT');
});

test('more pages or pixels than allowed are refused before anything is decoded', async () => {
  const wide = await sharp({ create: { width: 20_000, height: 6_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  await rejectsWith(wide, 'TOO_MANY_PIXELS');
  const kids = '3 0 R '.repeat(2001);
  const many = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count 2001 >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>',
  ]);
  await rejectsWith(many, 'TOO_MANY_PAGES');
});
