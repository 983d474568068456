import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { base64url } from 'jose';
import { createTestDatabase } from '../support/database.ts';
import { claimsOf, sign } from './reference-key.ts';
import { ReferenceStage } from './reference-stage.ts';

const on = await ReferenceStage.open(await createTestDatabase());
const { stage } = on;

const flip = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
/** A JWS of a header as it stands, signed rightly. */
const under = (header: string, payload: string) => {
  const signed = `${base64url.encode(header)}.${payload}`;
  return `${signed}.${createHmac('sha256', on.signer.key).update(signed).digest('base64url')}`;
};
const payloadOf = (ref: string) => ref.split('.')[1]!;

const FORGED: [name: string, forge: (ref: string) => string | Promise<string>][] = [
  ['no reference', () => ''],
  ['some text', () => 'let me in'],
  ['a character of the signature changed', (ref) => flip(ref, ref.length - 2)],
  ['a character of the claims changed', (ref) => flip(ref, ref.indexOf('.') + 40)],
  ['a character of the header changed', (ref) => flip(ref, 12)],
  ['the signature cut short', (ref) => ref.slice(0, -1)],
  ['the signature left out', (ref) => ref.slice(0, ref.lastIndexOf('.') + 1)],
  ['something behind the signature', (ref) => `${ref}.x`],
  ['a line feed behind the signature', (ref) => `${ref}\n`],
  ['padding behind the signature', (ref) => `${ref}=`],
  [
    'another spelling of the last character of the signature',
    (ref) => {
      // The last of 43 characters carries four bits: two more are free, and decoders pass over them.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      return ref.slice(0, -1) + alphabet[alphabet.indexOf(ref.at(-1)!) | 1]!;
    },
  ],
  ['another key', (ref) => sign(claimsOf(ref), { ...on.signer, key: Buffer.alloc(32, 7) })],
  ['a key that is not known', (ref) => sign(claimsOf(ref), { ...on.signer, kid: '4711' })],
  [
    'a key named as another number',
    (ref) => under(`{"alg":"HS256","kid":"0${on.signer.kid}"}`, payloadOf(ref)),
  ],
  ['no algorithm', (ref) => `${base64url.encode('{"alg":"none"}')}.${payloadOf(ref)}.`],
  [
    'another algorithm in the header',
    (ref) => under(`{"alg":"HS512","kid":"${on.signer.kid}"}`, payloadOf(ref)),
  ],
  [
    'one more word in the header',
    (ref) => under(`{"alg":"HS256","kid":"${on.signer.kid}","typ":"JWT"}`, payloadOf(ref)),
  ],
  [
    'the same header with a space',
    (ref) => under(`{"alg":"HS256", "kid":"${on.signer.kid}"}`, payloadOf(ref)),
  ],
  ['the reference of another job', async () => (await on.due()).ref],
  ['another subject', (ref) => on.resigned(ref, { sub: randomUUID() })],
  ['another audience', (ref) => on.resigned(ref, { aud: 'docket_app' })],
  ['another purpose', (ref) => on.resigned(ref, { purpose: 'ocr' })],
  ['another hash', (ref) => on.resigned(ref, { sha256: 'f'.repeat(64) })],
  ['an object that nobody delivered for the job', (ref) => on.resigned(ref, { object: 'memory:elsewhere' })],
  ['another version of the object', (ref) => on.resigned(ref, { version: 'v2' })],
  ['an attempt that is not the next one', (ref) => on.resigned(ref, { attempt: 2 })],
  ['no attempt', (ref) => on.resigned(ref, { attempt: undefined })],
  ['no object', (ref) => on.resigned(ref, { object: undefined })],
  ['no purpose', (ref) => on.resigned(ref, { purpose: null })],
];

for (const [name, forge] of FORGED) {
  test(`refused as forged, and nothing is begun or told: ${name}`, async () => {
    const { job, ref } = await on.due();
    const before = await stage.job(job);
    const forged = await forge(ref);
    assert.notEqual(forged, ref);

    const [row] = await on.come([{ job, ref: forged }]);
    assert.deepEqual(
      [row?.code, row?.job_id, row?.attempt, row?.token, row?.sha256, row?.candidates],
      ['REFERENCE_FORGED', job, null, null, null, null],
    );
    assert.equal(await on.attemptsOf(job), 0);
    const { seq, head, ...after } = await stage.job(job);
    assert.deepEqual({ ...after, seq: Number(seq) - 1, head: before['head'] }, before);
    assert.notDeepEqual(head, before['head']);
    const event = await stage.lastEvent(job);
    assert.deepEqual([event.event, event['code']], ['reference_refused', 'REFERENCE_FORGED']);
    assert.deepEqual(event.detail, {
      task: 'hash',
      worker: `test/${process.pid}`,
      ref_sha256: createHash('sha256').update(forged).digest('hex'),
    });
    assert.deepEqual(await on.answers([{ job, ref }]), ['begun']);
  });
}

test('forged references are refused in every state of a job, and change none', async () => {
  for (const state of ['accepted', 'running', 'validated', 'published', 'quarantined'] as const) {
    const job = await stage.inState(state);
    assert.deepEqual(await on.answers([{ job, ref: 'forged' }]), ['REFERENCE_FORGED'], state);
    const row = await stage.job(job);
    assert.equal(row['state'], state);
    assert.deepEqual(await on.refusals(job), ['REFERENCE_FORGED'], state);
  }
});
