import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { removeScanFile, writeScanFile } from '../../src/sealing/scan-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'dkt-scan-'));
after(() => rmSync(folder, { recursive: true, force: true }));

class Refused extends Error {}

/** Writes a scan that comes in pieces of ten thousand bytes, as if `stated` had been stated of it. */
async function write(name: string, scan: Buffer, stated = scan, isLasting = false): Promise<string> {
  const pieces = Array.from({ length: Math.ceil(scan.length / 10_000) }, (_, n) =>
    scan.subarray(n * 10_000, (n + 1) * 10_000),
  );
  const file = join(folder, name);
  await writeScanFile(
    { open: () => Promise.resolve(Readable.from(pieces)) },
    {
      locator: 'memory:scan',
      version: null,
      encryption: 'none',
      sourceId: 'carrier-a',
      sha256: createHash('sha256').update(stated).digest(),
      sizeBytes: stated.length,
      objectKey: null,
      isForeign: false,
    },
    {
      file,
      signal: new AbortController().signal,
      isLasting,
      refuse: (error) => {
        throw new Refused('refused', { cause: error });
      },
    },
  );
  return file;
}

for (const { size, isLasting } of [
  { size: 1, isLasting: false },
  { size: 65_536, isLasting: false },
  { size: 65_537, isLasting: false },
  { size: 400_000, isLasting: false },
  { size: 1_000, isLasting: true },
]) {
  const name = `${String(size)}${isLasting ? '-lasting' : ''}`;
  const scan = randomBytes(size);

  test(`a file of ${name} bytes holds the scan, for its owner alone`, async () => {
    const file = await write(name, scan);
    assert.ok(readFileSync(file).equals(scan));
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test(`of ${name} bytes with another hash or size than was stated nothing is left`, async () => {
    const other = Buffer.from(scan);
    other[size - 1]! ^= 1;
    await assert.rejects(write(`${name}-other`, other, scan, isLasting), { code: 'HASH_MISMATCH' });
    await assert.rejects(write(`${name}-more`, Buffer.concat([scan, scan]), scan, isLasting), {
      code: 'SIZE_MISMATCH',
    });
    for (const left of ['other', 'more']) assert.ok(!existsSync(join(folder, `${name}-${left}`)));
  });

  test(`a file of ${name} bytes that is there already is neither overwritten nor removed`, async () => {
    const file = await write(`${name}-taken`, scan);
    await assert.rejects(write(`${name}-taken`, randomBytes(size), undefined, isLasting), Refused);
    assert.ok(readFileSync(file).equals(scan));
  });
}

for (const size of [1_000, 70_000]) {
  test(`a file of ${String(size)} bytes is removed, or was before`, async () => {
    const file = await write(`${String(size)}-removed`, randomBytes(size));
    await removeScanFile(file, size);
    assert.ok(!existsSync(file));
    await removeScanFile(file, size);
  });

  test(`that a file of ${String(size)} bytes cannot be removed is told`, async () => {
    await assert.rejects(removeScanFile(folder, size), (error: NodeJS.ErrnoException) =>
      ['EISDIR', 'EPERM'].includes(error.code ?? ''),
    );
  });
}
