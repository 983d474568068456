import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CompactSign, FlattenedSign, exportSPKI, generateKeyPair } from 'jose';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { StoredObject } from '../../src/store/store.ts';
import { CORPUS } from '../evidence/signed-corpus.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const PDF = join(CORPUS, 'signed/dss-pades/timestamped_and_signed.pdf');
const fixture = await createFixture();
const { privateKey, publicKey } = await generateKeyPair('ES256');
await fixture.db.query('select docket.add_trust_anchor($1, $2, $3)', [
  'carrier-a',
  'Depot key',
  await exportSPKI(publicKey),
]);
await fixture.startWorker(createNullEngine());

const bytesOf = (content: string) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(content)]);

/** A JWS over a scan that lies beside it. */
async function detached(bytes: Buffer): Promise<Buffer> {
  const { protected: header, signature } = await new FlattenedSign(bytes)
    .setProtectedHeader({ alg: 'ES256', kid: 'anything' })
    .sign(privateKey);
  return Buffer.from(`${header!}..${signature}`);
}

/** Delivers, and waits until the document is in a state; returns its job. */
async function brought(to: string, object: StoredObject & { envelope?: Buffer }): Promise<string> {
  const [job] = await fixture.deliver(object);
  await eventually(`it is ${to}`, async () => (await fixture.states([job!]))[0] === to);
  return job!;
}

async function statement(job: string): Promise<string> {
  const { rows } = await fixture.db.query<{ text: string }>(
    'select statement as text from docket.signature_summary($1, null)',
    [job],
  );
  return rows[0]!.text;
}

async function codeOf(job: string): Promise<string | null> {
  const { rows } = await fixture.db.query<{ last_code: string | null }>(
    'select last_code from docket.jobs where job_id = $1',
    [job],
  );
  return rows[0]!.last_code;
}

test('a scan with a good signature beside it is published as signed', async () => {
  const job = await brought('published', {
    ...(await fixture.put('good')),
    envelope: await detached(bytesOf('good')),
  });
  const { rows } = await fixture.db.query<{ at: string }>(
    `select to_char(received_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') as at from docket.deliveries where job_id = $1`,
    [job],
  );
  assert.equal(
    await statement(job),
    `Signed by Depot key over the whole document; valid on ${rows[0]!.at} against the anchor "Depot key".`,
  );
  assert.deepEqual(await fixture.events(job), [
    'accepted',
    'admitted',
    'verified',
    'envelope_checked',
    'started',
    'extracted',
    'published',
  ]);
});

test('a scan without a signature is published as received, and nothing is said to have been checked', async () => {
  const job = await brought('published', await fixture.put('plain'));
  assert.equal(await statement(job), 'Bytes received. It has no signature.');
  assert.ok(!(await fixture.events(job)).includes('envelope_checked'));
});

test('a scan other than the one that was signed is refused', async () => {
  const envelope = Buffer.from(
    await new CompactSign(bytesOf('what was signed')).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
  );
  const job = await brought('quarantined', { ...(await fixture.put('what was sent')), envelope });
  assert.equal(await codeOf(job), 'SIGNATURE_INVALID');
  assert.match(
    await statement(job),
    /^Bytes received\. There is a signature that does not fit this document/,
  );
});

test('an envelope that cannot be read is refused, and one that can, delivered later, brings the scan back', async () => {
  const object = await fixture.put('resent');
  const job = await brought('quarantined', { ...object, envelope: Buffer.from('no envelope of any sort') });
  assert.equal(await codeOf(job), 'CORRUPT_ENVELOPE');
  assert.equal(await brought('published', { ...object, envelope: await detached(bytesOf('resent')) }), job);
  assert.match(
    await statement(job),
    /^Signed by Depot key over the whole document; .* It has 2 signatures; 1 of them is/,
  );
});

test('an envelope that comes after publication is checked and kept, and changes nothing of what is published', async () => {
  const object = await fixture.put('signed later');
  const job = await brought('published', object);
  await brought('published', { ...object, envelope: Buffer.from('broken') });
  await eventually('it was checked', async () => (await fixture.events(job)).includes('envelope_checked'));
  assert.equal(await statement(job), 'Bytes received. It has a signature that cannot be read.');
  await brought('published', { ...object, envelope: await detached(bytesOf('signed later')) });
  await eventually('it is signed', async () => (await statement(job)).startsWith('Signed by Depot key'));
  assert.deepEqual(await fixture.states([job]), ['published']);
});

test(
  'signatures inside a PDF are found while it is hashed, and the PDF is as it was',
  { skip: !existsSync(PDF) },
  async () => {
    const bytes = await readFile(PDF);
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += 1_000)
        yield await Promise.resolve(bytes.subarray(at, at + 1_000));
    }
    const object = await fixture.store.put(pieces());
    const job = await brought('published', object);
    const { rows } = await fixture.db.query<{ found: string }>(
      `select concat_ws(' ', place, purpose, status, case when is_intact then 'intact' end, coverage) as found
       from docket.document_signatures where job_id = $1 order by signature_no`,
      [job],
    );
    assert.deepEqual(
      rows.map((row) => row.found),
      [
        'embedded timestamp unknown_signer intact changed_after_signing',
        'embedded signature unknown_signer intact whole_document',
      ],
    );
    const kept: Buffer[] = [];
    const stored = await fixture.store.get(object, { signal: new AbortController().signal });
    for await (const piece of stored) kept.push(piece as Buffer);
    assert.ok(Buffer.concat(kept).equals(bytes));
    // judged anew, it is read again
    await fixture.db.query('select docket.order_envelope_checks(array[$1]::uuid[], null)', [job]);
    await eventually(
      'it was checked twice',
      async () => (await fixture.events(job)).filter((event) => event === 'envelope_checked').length === 2,
    );
  },
);
