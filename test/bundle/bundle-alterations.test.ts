// Every way to alter a bundle is refused, and what was altered is named.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { pack } from 'tar-stream';
import { readVerifierKey } from '../../src/domain/verifier-key.ts';
import { readBundle, type DocumentFiles } from '../../src/verify/bundle-files.ts';
import { readReceiptKeys } from '../../src/verify/receipt-keys.ts';
import { readEventLeaf } from '../../src/verify/event-leaf.ts';
import { verifyBundle, type TrustedKeys } from '../../src/verify/verify-bundle.ts';
import { createTestDatabase } from '../support/database.ts';
import { BundleStage } from './bundle-stage.ts';

const database = await createTestDatabase();
const stage = await BundleStage.open(database);

let bytes: Buffer;
let files: Map<string, Buffer>;
let keys: TrustedKeys;
let folder: string;
let other: Map<string, Buffer>;

before(async () => {
  const { job, scan } = await stage.published();
  bytes = await readFile(await stage.bundle([job], { scan }));
  files = await unpacked(bytes);
  folder = `documents/${job}`;
  const second = await stage.published();
  other = await unpacked(await readFile(await stage.bundle([second.job], { scan: second.scan })));
  keys = {
    logKeys: [readVerifierKey(stage.signer.verifierKey)],
    receiptKeys: readReceiptKeys(await stage.receiptKeys()),
  };
});

/** The files of an archive by a reading of its own: headers of 512 bytes, the name at 0, the size in octal at 124. */
async function unpacked(archive: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (let at = 0; archive[at] !== 0;) {
    const text = (from: number, to: number) =>
      archive.toString('latin1', at + from, at + to).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 136), 8);
    found.set(text(0, 100), archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

async function packed(changed: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const archive = pack();
  for (const [name, body] of changed) archive.entry({ name }, Buffer.from(body));
  archive.finalize();
  return wholeOf(archive);
}

async function wholeOf(archive: AsyncIterable<unknown>): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of archive) found.push(piece as Buffer);
  return Buffer.concat(found);
}

/** What is wrong by the verifier: the names of the steps, or why it is no bundle. */
async function faults(archive: Uint8Array, by = keys): Promise<string[]> {
  try {
    const { steps } = verifyBundle(await readBundle(pieces(archive)), by);
    return [...new Set(steps.filter(({ ok }) => ok === false).map(({ name }) => name))];
  } catch (error) {
    if (error instanceof SyntaxError) return [error.message];
    throw error;
  }
}

/** As a stream brings them: in pieces that end anywhere. */
async function* pieces(archive: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < archive.length; at += 7001) yield archive.subarray(at, at + 7001);
}

/** The faults of the bundle with one file put in another's place, or removed. */
function faultsWith(name: string, body: Uint8Array | undefined): Promise<string[]> {
  const changed = new Map<string, Uint8Array>(files);
  if (body) changed.set(name, body);
  else changed.delete(name);
  return packed(changed).then((archive) => faults(archive));
}

const flipped = (body: Uint8Array, at: number): Buffer => {
  const copy = Buffer.from(body);
  copy[at]! ^= 1;
  return copy;
};

const named = (end: string) =>
  [...files.keys()].find((name) => name.startsWith(folder) && name.endsWith(end))!;
test('as it was written, and packed anew, nothing is wrong with it', async () => {
  assert.deepEqual(await faults(bytes), []);
  assert.deepEqual(await faults(await packed(files)), []);
});

test('a bit that is flipped anywhere, in any file or between files, is noticed', async () => {
  const places = new Set<number>();
  // every byte would take minutes: the first and last of each file, of its header, its padding, and some between
  for (let at = 0; at < bytes.length; at += 211) places.add(at);
  for (let at = 0; bytes[at] !== 0;) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    const end = at + 512 + Math.ceil(size / 512) * 512;
    for (const one of [at, at + 130, at + 511, at + 512, at + 511 + size, end - 1]) places.add(one);
    at = end;
  }
  for (const at of places) {
    const found = await faults(flipped(bytes, at));
    assert.notDeepEqual(found, [], `byte ${String(at)} of ${String(bytes.length)}`);
  }
});

test('a bundle that is cut off anywhere is refused', async () => {
  for (let length = 0; length < bytes.length; length += 997) {
    assert.notDeepEqual(await faults(bytes.subarray(0, length)), [], `${String(length)} bytes`);
  }
});

test('what was altered is named', async () => {
  const at = (name: string) => flipped(files.get(name)!, files.get(name)!.length - 3);
  const receipts = named('receipts.jws');
  assert.deepEqual(await faultsWith(named('text/page-1.txt'), Buffer.from('Refused')), ['text']);
  assert.deepEqual(await faultsWith(named('ocr-config.json'), Buffer.from('{"psm": 4}')), ['configuration']);
  assert.deepEqual(await faultsWith(named('original.png'), at(named('original.png'))), ['original']);
  assert.deepEqual(await faultsWith(named('/result'), at(named('/result'))), ['result']);
  assert.deepEqual(
    await faultsWith(
      receipts,
      Buffer.from(
        files
          .get(receipts)!
          .toString()
          .replace(/.{6}\n$/, 'AAAAAA\n'),
      ),
    ),
    ['receipt signature'],
  );
  const envelope = [...files.keys()].find((name) => name.includes('/envelopes/'))!;
  assert.deepEqual(await faultsWith(envelope, Buffer.from('another')), ['envelope']);
  assert.deepEqual(await faultsWith(envelope, undefined), ['envelope']);
  const packet = [...files.keys()].find((name) => name.includes('/packets/'))!;
  assert.ok((await faultsWith(packet, flipped(files.get(packet)!, 40))).includes('packet'));
  const report = [...files.keys()].find((name) => name.includes('/reports/'))!;
  assert.deepEqual(await faultsWith(report, at(report)), ['signature report']);
  const note = [...files.keys()].find((name) => name.includes('/notes/'))!;
  assert.deepEqual(await faultsWith(note, at(note)), ['note']);
  const leaf = `${folder}/events/3.leaf`;
  // the hash of the next event no longer fits, nor does the proof of this one, nor the receipt that names it
  const offReason = flipped(files.get(leaf)!, files.get(leaf)!.indexOf('match the hash'));
  assert.deepEqual(await faultsWith(leaf, offReason), ['inclusion', 'chain', 'receipt']);
});

test('what is missing, added or swapped is named', async () => {
  const last = [...files.keys()].filter((name) => name.endsWith('.leaf')).length;
  assert.deepEqual(await faultsWith(`${folder}/events/4.leaf`, undefined), ['chain', 'receipt', 'files']);
  assert.deepEqual(await faultsWith(`${folder}/events/${String(last)}.tlog-proof`, undefined), ['inclusion']);
  assert.deepEqual(await faultsWith(`${folder}/notes/1`, Buffer.from('x')), ['files']);
  assert.deepEqual(await faultsWith(`${folder}/readme`, Buffer.from('x')), [
    `a bundle has no file "${folder}/readme"`,
  ]);
  assert.deepEqual(await faultsWith('checkpoint', undefined), ['checkpoint', 'inclusion']);
  assert.deepEqual(await faultsWith('checkpoint', other.get('checkpoint')), ['inclusion']);
  assert.deepEqual(
    await faultsWith('bundle.json', Buffer.from('{"format":"docket.bundle.1","origin":"x"}\n')),
    ['format'],
  );
  const foreign = [...other].find(([name]) => name.endsWith('text/page-2.txt'))![1];
  assert.deepEqual(await faultsWith(named('text/page-1.txt'), foreign), ['text']);
  const proof = `${folder}/events/2.tlog-proof`;
  assert.deepEqual(await faultsWith(proof, files.get(`${folder}/events/3.tlog-proof`)), ['inclusion']);
  const renamed = new Map(
    [...files].map(([name, body]) => [
      name.replace(folder, [...other.keys()].at(-1)!.split('/').slice(0, 2).join('/')),
      body,
    ]),
  );
  assert.deepEqual(await faults(await packed(renamed)), ['chain', 'document id', 'receipt']);
  assert.deepEqual(
    await faults(await packed(new Map([...files].filter(([name]) => !name.startsWith('documents'))))),
    ['documents'],
  );
});

test('an event that was added behind the last one is not proven by any chain', async () => {
  const last = [...files.keys()].filter((name) => name.endsWith('.leaf')).length;
  const template = files.get(`${folder}/events/${String(last)}.leaf`)!;
  const forged = Buffer.from(template);
  forged.writeInt32BE(last + 1, 32);
  createHash('sha256')
    .update(template)
    .digest()
    .copy(forged, forged.length - 32);
  assert.deepEqual(await faultsWith(`${folder}/events/${String(last + 1)}.leaf`, forged), ['inclusion']);
});

test('a checkpoint that somebody else signed is refused by name, however well the rest agrees', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const [key] = keys.logKeys!;
  assert.deepEqual(await faults(bytes, { ...keys, logKeys: [{ ...key!, publicKey: raw }] }), [
    'checkpoint signature',
  ]);
});

test('a bundle that holds a file twice, a link or a name that leads elsewhere is no bundle', async () => {
  const twice = pack();
  for (const text of ['a', 'b']) twice.entry({ name: 'checkpoint' }, text);
  twice.finalize();
  assert.deepEqual(await faults(await wholeOf(twice)), ['the file checkpoint is there twice']);
  const link = pack();
  link.entry({ name: 'checkpoint', type: 'symlink', linkname: '/etc/passwd' });
  link.finalize();
  assert.deepEqual(await faults(await wholeOf(link)), ['checkpoint is no plain file']);
  assert.deepEqual(await faultsWith(`${folder}/../x`, Buffer.from('x')), [
    `a bundle has no file "${folder}/../x"`,
  ]);
});

test('no number of files is too large for a verdict', async () => {
  const bundle = await readBundle(pieces(bytes));
  const [[job, document]] = [...bundle.documents] as [[string, DocumentFiles]];
  const many = new Map(document.files);
  for (let at = 1; at <= 200_000; at += 1) many.set(`notes/${String(1_000_000 + at)}`, new Uint8Array());
  const { ok, steps } = verifyBundle(
    { ...bundle, documents: new Map([[job, { ...document, files: many }]]) },
    keys,
  );
  assert.equal(ok, false);
  assert.equal(steps.filter(({ name }) => name === 'files').length, 200_000);
});

test('an event names the one before by 32 bytes, and a folder has none', async () => {
  const leaf = files.get(`${folder}/events/2.leaf`)!;
  const longer = Buffer.concat([leaf, Buffer.of(0)]);
  // the last of the eight lengths, which follow 16 bytes of tag, the id, and 16 bytes of numbers
  longer.writeInt32BE(33, 16 + 16 + 16 + 7 * 4);
  assert.throws(() => readEventLeaf(longer), /has not 32 bytes/);
  const archive = pack();
  archive.entry({ name: 'documents' }, 'hidden');
  archive.finalize();
  const hidden = await wholeOf(archive);
  hidden.write('5', 156);
  // '0' became '5', and the sum of the header with it
  const sum = Number.parseInt(hidden.toString('latin1', 148, 154), 8) + 5;
  hidden.write(sum.toString(8).padStart(6, '0'), 148);
  assert.deepEqual(await faults(hidden), ['the folder documents has bytes of its own']);
});
