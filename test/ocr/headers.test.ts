import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { DocketError } from '../../src/errors.ts';
import { openByteSource } from '../../src/ocr/child/byte-source.ts';
import { jpegIsComplete, pngEnding } from '../../src/ocr/child/picture-ending.ts';
import { readJpegHeader, readPngHeader } from '../../src/ocr/child/picture-header.ts';
import { readTiffDirectories } from '../../src/ocr/child/tiff-directories.ts';
import { makeFolder, writeSample } from './scratch.ts';

const picture = sharp({ create: { width: 123, height: 45, channels: 3, background: '#abcdef' } });
const folder = await makeFolder();
let png: Buffer;
let jpeg: Buffer;

before(async () => {
  png = await picture.clone().withMetadata({ density: 150 }).png().toBuffer();
  jpeg = await picture.clone().withMetadata({ density: 200 }).jpeg().toBuffer();
});

test('a PNG header tells size, depth and resolution', () => {
  const header = readPngHeader(png);
  assert.deepEqual([header?.width, header?.height, header?.bitsPerPixel], [123, 45, 24]);
  assert.equal(Math.round(header?.resolution?.x ?? 0), 150);
});

test('a JPEG header tells size and depth', () => {
  const header = readJpegHeader(jpeg);
  assert.deepEqual([header?.width, header?.height, header?.bitsPerPixel], [123, 45, 24]);
});

test('a JFIF segment tells the resolution, also in centimetres', () => {
  const jfif = (unit: string): Buffer =>
    Buffer.from(`\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01${unit}\0\xc8\0\x64\0\0`, 'latin1');
  const frame = jpeg.subarray(jpeg.indexOf('\xff\xc0', 0, 'latin1'));
  assert.deepEqual(readJpegHeader(Buffer.concat([jfif('\x01'), frame]))?.resolution, { x: 200, y: 100 });
  assert.deepEqual(readJpegHeader(Buffer.concat([jfif('\x02'), frame]))?.resolution, { x: 508, y: 254 });
  assert.equal(readJpegHeader(Buffer.concat([jfif('\0'), frame]))?.resolution, undefined);
});

test('headers that end too early tell nothing', () => {
  assert.equal(readPngHeader(png.subarray(0, 20)), undefined);
  assert.equal(readJpegHeader(jpeg.subarray(0, 12)), undefined);
});

test('a JPEG or PNG that was cut off is told from a whole one', async () => {
  const cases: [string, Buffer, boolean][] = [
    ['whole.jpg', jpeg, true],
    ['padded.jpg', Buffer.concat([jpeg, Buffer.alloc(100)]), true],
    ['cut.jpg', jpeg.subarray(0, jpeg.length - 2), false],
    ['whole.png', png, true],
    ['cut.png', png.subarray(0, png.length - 5), false],
  ];
  for (const [name, bytes, complete] of cases) {
    const source = await openByteSource(await writeSample(folder, name, bytes));
    const found = name.endsWith('.jpg') ? await jpegIsComplete(source) : (await pngEnding(source)).complete;
    await source.close();
    assert.equal(found, complete, name);
  }
});

interface Entry {
  readonly tag: number;
  readonly type: 3 | 4;
  readonly value: number;
}

/** A TIFF in either byte order of directories that hold nothing but these entries. */
function makeTiff(little: boolean, directories: readonly (readonly Entry[])[], lastPointer = 0): Buffer {
  const u16 = (value: number): Buffer => number(value, 2, little);
  const u32 = (value: number): Buffer => number(value, 4, little);
  const sizes = directories.map((entries) => 2 + entries.length * 12 + 4);
  const offsets = sizes.map((_, i) => 8 + sizes.slice(0, i).reduce((a, b) => a + b, 0));
  const parts = [Buffer.from(little ? 'II' : 'MM', 'latin1'), u16(42), u32(8)];
  directories.forEach((entries, i) => {
    parts.push(u16(entries.length));
    for (const { tag, type, value } of entries) {
      const cell = type === 3 ? Buffer.concat([u16(value), u16(0)]) : u32(value);
      parts.push(u16(tag), u16(type), u32(1), cell);
    }
    parts.push(u32(offsets[i + 1] ?? lastPointer));
  });
  return Buffer.concat(parts);
}

function number(value: number, size: 2 | 4, little: boolean): Buffer {
  const buffer = Buffer.alloc(size);
  if (little) buffer.writeUIntLE(value, 0, size);
  else buffer.writeUIntBE(value, 0, size);
  return buffer;
}

const sized = (width: number, height: number, ...more: Entry[]): Entry[] => [
  { tag: 256, type: 4, value: width },
  { tag: 257, type: 3, value: height },
  ...more,
];

async function readDirectoriesOf(bytes: Buffer, most = 10): ReturnType<typeof readTiffDirectories> {
  const source = await openByteSource(await writeSample(folder, 'directories.tif', bytes));
  try {
    return await readTiffDirectories(source, most);
  } finally {
    await source.close();
  }
}

for (const little of [true, false]) {
  test(`the directories of a ${little ? 'little' : 'big'}-endian TIFF are all found`, async () => {
    const orientation: Entry = { tag: 274, type: 3, value: 6 };
    const thumbnail: Entry = { tag: 254, type: 4, value: 1 };
    const found = await readDirectoriesOf(
      makeTiff(little, [sized(100, 200, orientation), sized(10, 20, thumbnail)]),
    );
    assert.deepEqual(
      found.map(({ width, height, orientation: turned, auxiliary }) => [width, height, turned, auxiliary]),
      [
        [100, 200, 6, false],
        [10, 20, 1, true],
      ],
    );
  });
}

const hasCode = (code: string) => (error: unknown) => error instanceof DocketError && error.code === code;

test('a chain of directories that bites its tail is CORRUPT', async () => {
  await assert.rejects(readDirectoriesOf(makeTiff(true, [sized(1, 1), sized(1, 1)], 8)), hasCode('CORRUPT'));
});

test('a chain that leads out of the file is TRUNCATED', async () => {
  await assert.rejects(readDirectoriesOf(makeTiff(true, [sized(1, 1)], 5000)), hasCode('TRUNCATED'));
});

test('more directories than pages are allowed is TOO_MANY_PAGES', async () => {
  const many = Array.from({ length: 4 }, () => sized(1, 1));
  await assert.rejects(readDirectoriesOf(makeTiff(true, many), 3), hasCode('TOO_MANY_PAGES'));
});

test('pixels that lie beyond the end of the file are noticed in the directory', async () => {
  const [directory] = await readDirectoriesOf(
    makeTiff(true, [sized(8, 8, { tag: 273, type: 4, value: 100 }, { tag: 279, type: 4, value: 9000 })]),
  );
  assert.equal(directory?.end, 9100);
});

test('what sharp writes is read as sharp says', async () => {
  const tiff = join(folder, 'sharp.tif');
  await picture.clone().withMetadata({ density: 300 }).tiff({ compression: 'lzw' }).toFile(tiff);
  const source = await openByteSource(tiff);
  const [directory] = await readTiffDirectories(source, 10);
  await source.close();
  assert.deepEqual([directory?.width, directory?.height, directory?.compression], [123, 45, 5]);
  assert.equal(Math.round(directory?.resolution?.x ?? 0), 300);
  assert.ok(directory !== undefined && directory.end <= source.size);
});
