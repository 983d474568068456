import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { Box } from '../../src/domain/geometry.ts';
import type { Recognition, RecognisedPage } from '../../src/ocr/engine.ts';
import { makeSamplePdf } from './sample-pdf.ts';
import type { Sample, SamplePage } from './sample-pdf.ts';
import { GENEROUS_MS, makeFolder, never, openEngine, writeSample } from './scratch.ts';

const LINES = [
  'DELIVERY RECEIPT DR-0098214-7',
  'Consignee Harbour Cold Storage, Gate 12',
  'Container MSKU7583219 sealed CN8841207',
  'Gross weight 18642.5 kg in 42 cartons',
  'Signed for by the driver on 14.03.2026',
  'Remarks: two cartons wet, seal intact',
];
const WORDS: readonly [line: number, word: string][] = [
  [0, 'DR-0098214-7'],
  [2, 'MSKU7583219'],
  [3, '18642.5'],
];

const folder = await makeFolder();
const { engine } = openEngine({ children: 2 });

const recognise = (file: string): Promise<Recognition> =>
  engine.recognise(file, { signal: never(), deadline: GENEROUS_MS });

/** The box of the word in the recognition, which must hold it exactly once. */
function foundBox(page: RecognisedPage | undefined, word: string): Box {
  const found = page?.words.filter(([text]) => text.replace(/[,.]$/, '') === word) ?? [];
  assert.equal(found.length, 1, `${word} is found once in: ${page?.text}`);
  const [, , x0, y0, x1, y1] = found[0] ?? ['', 0, 0, 0, 0, 0];
  return { x0, y0, x1, y1 };
}

function assertClose(found: Box, expected: Box, tolerance: number): void {
  for (const side of ['x0', 'y0', 'x1', 'y1'] as const) {
    const off = Math.abs(found[side] - expected[side]);
    assert.ok(off <= tolerance, `${side} is ${found[side]}, computed ${expected[side].toFixed(1)}`);
  }
}

interface Placement extends SamplePage {
  readonly name: string;
  readonly rotation: number;
}

const PLACEMENTS: readonly Placement[] = [
  { name: 'level', lines: LINES, rotation: 0 },
  { name: 'leaning by 3° to the right', lines: LINES, skew: 3, rotation: 0 },
  { name: 'leaning by 2° to the left', lines: LINES, skew: -2, rotation: 0 },
  { name: 'on its side, to be turned by 270°', lines: LINES, rotate: 90, rotation: 270 },
  { name: 'on its head and leaning', lines: LINES, rotate: 180, skew: 2, rotation: 180 },
  { name: 'on its other side and leaning', lines: LINES, rotate: 270, skew: -3, rotation: 90 },
];

let sample: Sample;
let pdf: string;
let document: Recognition;
const told: RecognisedPage[] = [];

before(async () => {
  sample = await makeSamplePdf(PLACEMENTS);
  pdf = await writeSample(folder, 'placements.pdf', sample.bytes);
  const onPage = (page: RecognisedPage) => void told.push(page);
  document = await engine.recognise(pdf, { signal: never(), deadline: GENEROUS_MS, onPage });
});

test('every page of a document is declared, decoded and recognised', () => {
  assert.deepEqual([document.pagesDeclared, document.pagesDecoded, document.warnings], [6, 6, []]);
  assert.deepEqual(
    document.pages.map((page) => page.pageNo),
    [1, 2, 3, 4, 5, 6],
  );
});

test('whoever wants to know is told of each page as it is read', () => {
  assert.deepEqual(told, document.pages);
});

PLACEMENTS.forEach((placement, i) => {
  test(`words of a page ${placement.name} lie where the page was drawn`, () => {
    const page = document.pages[i];
    assert.equal(page?.rotation, placement.rotation);
    assert.ok(Math.abs(page.angle + (placement.skew ?? 0)) < 0.3, `levelled by ${page.angle}`);
    const lean = Math.abs(Math.sin(((placement.skew ?? 0) * Math.PI) / 180));
    for (const [line, word] of WORDS) {
      const expected = sample.boxOf(i, line, word, 300);
      const found = foundBox(page, word);
      // A leaning word's box, taken from the level page, grows by what it leans, on both axes.
      const length = Math.max(expected.x1 - expected.x0, expected.y1 - expected.y0);
      assertClose(found, expected, 9 + 1.2 * lean * length);
    }
  });
});

test('the same file gives the same text, word for word and box for box', async () => {
  assert.deepEqual((await recognise(pdf)).pages, document.pages);
});

/** The first sample page as a picture of 200 dpi. */
async function drawnPage(): Promise<Sharp> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  const opened = await library.loadDocument(await readFile(pdf));
  const { data, width, height } = await opened.getPage(0).render({ scale: 200 / 72, render: 'bitmap' });
  opened.destroy();
  library.destroy();
  const drawn = sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#ffffff' });
  return sharp(await drawn.png().toBuffer());
}

/** 200 dpi, as PNG and JPEG say it and as TIFF does, in pixels per millimetre. */
const STATED = { density: 200 };
const PER_MM = { xres: 200 / 25.4, yres: 200 / 25.4 };

const ENCODINGS: readonly [name: string, encode: (page: Sharp) => Sharp][] = [
  ['a 16-bit PNG', (page) => page.toColourspace('rgb16').png().withMetadata(STATED)],
  ['a palette PNG', (page) => page.png({ palette: true, colours: 8 }).withMetadata(STATED)],
  ['a CMYK JPEG', (page) => page.toColourspace('cmyk').jpeg({ quality: 90 }).withMetadata(STATED)],
  ['a progressive JPEG', (page) => page.jpeg({ progressive: true }).withMetadata(STATED)],
  [
    'a fax TIFF (G4)',
    (page) =>
      page
        .greyscale()
        .threshold(160)
        .toColourspace('b-w')
        .tiff({ compression: 'ccittfax4', bitdepth: 1, ...PER_MM }),
  ],
  [
    'an LZW TIFF',
    (page) => page.greyscale().tiff({ compression: 'lzw', predictor: 'horizontal', ...PER_MM }),
  ],
  ['a deflated TIFF in tiles', (page) => page.tiff({ compression: 'deflate', tile: true, ...PER_MM })],
  ['a JPEG in TIFF', (page) => page.tiff({ compression: 'jpeg', quality: 90, ...PER_MM })],
  ['a BigTIFF', (page) => page.greyscale().tiff({ compression: 'none', bigtiff: true, ...PER_MM })],
];

for (const [name, encode] of ENCODINGS) {
  test(`${name} is read`, async () => {
    const file = await writeSample(folder, name, await encode(await drawnPage()).toBuffer());
    const { pages, warnings } = await recognise(file);
    assert.deepEqual(warnings, []);
    assert.match(pages[0]?.text ?? '', /DR-0098214-7[^]*MSKU7583219[^]*18642\.5/);
    assertClose(foundBox(pages[0], 'MSKU7583219'), sample.boxOf(0, 2, 'MSKU7583219', 200), 7);
  });
}

test('a page without ink is blank, and one with ink but no writing has no text', async () => {
  const white = sharp({ create: { width: 1654, height: 2339, channels: 3, background: '#f8f6ee' } });
  const dot = Buffer.from(
    '<svg width="600" height="600"><circle cx="300" cy="300" r="280" fill="#222"/></svg>',
  );
  const blank = await recognise(await writeSample(folder, 'blank.png', await white.clone().png().toBuffer()));
  const disc = await recognise(
    await writeSample(
      folder,
      'disc.png',
      await white
        .clone()
        .composite([{ input: dot }])
        .png()
        .toBuffer(),
    ),
  );
  assert.deepEqual([blank.pages[0]?.verdict, disc.pages[0]?.verdict], ['blank', 'no_text']);
});

test('the configuration names everything that has a say in a result', async () => {
  const configuration = await engine.configuration();
  const model = configuration['modelSha256'];
  assert.match(configuration.engine, /^tesseract\.js \d/);
  assert.ok(typeof model === 'string' && /^[0-9a-f]{64}$/.test(model));
  assert.deepEqual(Object.keys(configuration['parameters'] as object).sort(), [
    'orientation',
    'preparation',
    'rasterisation',
    'secondReading',
    'tesseract',
  ]);
  assert.deepEqual(JSON.parse(JSON.stringify(configuration)), configuration);
});
