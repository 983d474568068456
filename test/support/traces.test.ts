import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TraceSearch, tracesOf, tracesOfWords } from './traces.ts';

const scan = readFileSync(join(import.meta.dirname, '../../corpus/documents/01-bill-of-lading.png'));
const folder = mkdtempSync(join(tmpdir(), 'docket-traces-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const around = (middle: Uint8Array | string) =>
  Buffer.concat([randomBytes(1001), Buffer.from(middle), randomBytes(77)]);
const search = new TraceSearch(tracesOf('scan', scan));

test('a scan is found as it is, cut into parts, as hex and as base64 of any alignment', () => {
  assert.deepEqual(search.in('noise', randomBytes(1_000_000)), []);
  assert.equal(search.in('copy', around(scan)).length, 8);
  // Half of it, and a part in the middle.
  assert.ok(search.in('half', around(scan.subarray(scan.length / 2))).length >= 3);
  for (const shift of [0, 1, 2]) {
    const part = scan.subarray(shift);
    assert.ok(search.in('base64', around(part.toString('base64'))).length >= 7, `base64 ${String(shift)}`);
    assert.ok(search.in('base64url', around(part.toString('base64url'))).length >= 7);
    const lines = part.toString('base64').replace(/.{76}/g, '$&\n');
    assert.ok(search.in('lines of base64', around(lines)).length >= 2);
  }
  assert.ok(search.in('hex', around(scan.toString('hex'))).length >= 7);
  assert.ok(search.in('HEX', around(scan.toString('hex').toUpperCase())).length >= 7);
});

test('one window alone is found in a folder, wherever it lies, and the place is told', () => {
  const [first] = tracesOf('scan', scan);
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/noise'), randomBytes(100_000));
  assert.deepEqual(search.below(folder), []);
  writeFileSync(join(folder, 'a/b/.hidden'), around(first!.bytes));
  assert.deepEqual(search.below(folder), [`${first!.name} in ${join(folder, 'a/b/.hidden')}`]);
  writeFileSync(join(folder, 'a/b/.hidden'), first!.bytes.subarray(0, 63));
  assert.deepEqual(search.below(folder), []);
  assert.deepEqual(search.below(join(folder, 'missing')), []);
});

test('words are found as text and as hex', () => {
  const words = new TraceSearch(tracesOfWords(['MSKU4711', 'Übergabe']));
  assert.deepEqual(words.in('log', Buffer.from('{"text":"für MSKU4711 am Tag der Übergabe"}')), [
    '"MSKU4711" in log',
    '"Übergabe" in log',
  ]);
  assert.equal(
    words.in('row', Buffer.from(`\\x${Buffer.from('vor der Übergabe').toString('hex')}`)).length,
    1,
  );
  assert.deepEqual(words.in('other', Buffer.from('MSKU4712')), []);
});
