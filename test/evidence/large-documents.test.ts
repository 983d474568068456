import assert from 'node:assert/strict';
import { createHash, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignedContent } from '../../src/evidence/envelope-format.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const MIB = 1024 * 1024;
const WHOLE = 'valid, intact, digest matches, whole_document';
const PIECE = Buffer.alloc(MIB, 'scan');
const { signal } = new AbortController();

function check(
  envelope: string,
  content: SignedContent,
  trust: Trust,
  by = signal,
): Promise<readonly SignatureReport[]> {
  return checkEnvelope(Buffer.from(envelope), content, trust, by);
}

function header(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** A document that is never held as a whole, of any number of pieces; `read` is told of each before it is taken. */
function large(pieces: number, read: () => void = () => undefined): SignedContent {
  const hash = createHash('sha256');
  for (let piece = 0; piece < pieces; piece++) hash.update(PIECE);
  return {
    sha256: hash.digest(),
    sizeBytes: pieces * MIB,
    async *open() {
      for (let piece = 0; piece < pieces; piece++) {
        read();
        yield PIECE;
      }
    },
  };
}

test('a document of 300 MiB is verified in a few of them, as it is and as base64url', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const content = large(300, () => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  });
  const unencoded = header({ alg: 'RS256', b64: false, crit: ['b64'] });
  const ofBytes = createSign('sha256').update(`${unencoded}.`);
  const encoded = header({ alg: 'RS256' });
  const ofText = createSign('sha256').update(`${encoded}.`);
  // 300 pieces of 3 x 1 MiB make 300 MiB: three pieces have no rest in base64url, and nor have all.
  const three = Buffer.concat([PIECE, PIECE, PIECE]).toString('base64url');
  for (let piece = 0; piece < 300; piece++) ofBytes.update(PIECE);
  for (let piece = 0; piece < 100; piece++) ofText.update(three);
  for (const jws of [
    `${unencoded}..${ofBytes.sign(privateKey, 'base64url')}`,
    `${encoded}..${ofText.sign(privateKey, 'base64url')}`,
  ]) {
    const [report] = await check(jws, content, trustOf([publicKey]));
    assert.equal(inShort(report!), WHOLE);
  }
  assert.ok(most < 100 * MIB, `held ${String(most)} bytes`);
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const trusted = trustOf([publicKey]);
const start = header({ alg: 'Ed25519', b64: false, crit: ['b64'] });

test('a document of more than 64 MiB is not read for an algorithm that takes it whole', async () => {
  let reads = 0;
  const content = large(65, () => reads++);
  const [report] = await check(`${start}..${Buffer.alloc(64).toString('base64url')}`, content, trusted);
  assert.equal(inShort(report!), 'unsupported, intact unknown, digest unknown, no coverage');
  assert.deepEqual(report!.findings, ['CONTENT_TOO_LARGE']);
  assert.equal(reads, 0);
});

test('documents that are needed whole are read one after the other, also after one that cannot be read', async () => {
  const document = Buffer.from('Received in good order.');
  const signature = sign(null, Buffer.concat([Buffer.from(`${start}.`), document]), privateKey);
  let open = 0;
  let most = 0;
  const content: SignedContent = {
    ...contentOf(document),
    async *open() {
      most = Math.max(most, ++open);
      for await (const piece of contentOf(document).open()) {
        await new Promise(setImmediate);
        yield piece;
      }
      open--;
    },
  };
  const unreadable: SignedContent = {
    ...content,
    // eslint-disable-next-line require-yield
    async *open() {
      throw new Error('gone');
    },
  };
  const jws = `${start}..${signature.toString('base64url')}`;
  const failing = assert.rejects(check(jws, unreadable, trusted), /gone/);
  const checks = await Promise.all(Array.from({ length: 5 }, () => check(jws, content, trusted)));
  await failing;
  assert.deepEqual(
    checks.map(([report]) => inShort(report!)),
    Array.from({ length: 5 }, () => WHOLE),
  );
  assert.equal(most, 1);
});

test('a check that is given up ends', async () => {
  const controller = new AbortController();
  const content = large(300, () => controller.abort(new Error('no time')));
  const jws = `${header({ alg: 'ES256' })}..AAAA`;
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  await assert.rejects(check(jws, content, trustOf([key]), controller.signal), /no time/);
});
