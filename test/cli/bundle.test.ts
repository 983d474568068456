import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

/** From a scan to a file that somebody else verifies, with a database only on the way. */
let home: CliHome;
let stack: Running;
let job = '';
const scan = CliHome.corpus('12-weighbridge-ticket-phone.jpg');
const inHome = (name: string) => join(home.folder, name);

interface Verified {
  verified: boolean;
  trust: string;
  documents: { sha256: string; state: string; original: boolean }[];
  steps: { name: string; ok: boolean | null }[];
}

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
  const submitted = await home.json<{ documents: { job_id: string }[] }>(['submit', scan, '--wait']);
  job = submitted.documents[0]!.job_id;
  await writeFile(inHome('receipt-keys.json'), (await home.docket(['receipt', 'keys'])).stdout);
  await writeFile(inHome('log.vkey'), (await home.docket(['checkpoint', 'keys'])).stdout);
});
after(async () => {
  await stack.stop();
  await home.remove();
});

test('a document is bundled with its scan, and verified by the keys that were printed', async () => {
  const made = await home.json<{ documents: { state: string }[] }>([
    'bundle',
    job,
    '--original',
    '--out',
    inHome('claim.tar'),
    '--reason',
    'claim 4711',
  ]);
  assert.deepEqual(
    made.documents.map(({ state }) => state),
    ['published'],
  );
  const keys = ['--key', inHome('log.vkey'), '--receipt-key', inHome('receipt-keys.json')];
  const verified = await home.json<Verified>(['bundle', 'verify', inHome('claim.tar'), ...keys]);
  assert.deepEqual([verified.verified, verified.trust], [true, 'key']);
  const sha256 = createHash('sha256')
    .update(await readFile(scan))
    .digest('hex');
  assert.deepEqual(
    verified.documents.map((document) => [document.sha256, document.state, document.original]),
    [[sha256, 'published', true]],
  );
  assert.deepEqual(
    verified.steps.filter(({ ok }) => ok !== true),
    [],
  );
});

test('without a key it is called self-consistent only', async () => {
  const { code, stdout } = await home.docket(['bundle', 'verify', inHome('claim.tar')]);
  assert.equal(code, 0);
  assert.match(stdout, /checkpoint signature +1 not checked: no key of the log was given/);
  assert.match(stdout, /VERIFIED\. Self-consistent only/);
});

test('what was altered ends with 8 and is named; nothing is overwritten', async () => {
  const bytes = await readFile(inHome('claim.tar'));
  const scanBytes = await readFile(scan);
  const altered = Buffer.from(bytes);
  altered[bytes.indexOf(scanBytes.subarray(0, 64)) + 100]! ^= 1;
  await writeFile(inHome('altered.tar'), altered);
  const refused = await home.docket(['bundle', 'verify', inHome('altered.tar'), '--key', inHome('log.vkey')]);
  assert.equal(refused.code, 8);
  assert.match(refused.stdout, new RegExp(`WRONG: original: original.jpeg of document ${job}\\n`));
  assert.match(refused.stdout, /NOT VERIFIED/);
  await writeFile(inHome('cut.tar'), bytes.subarray(0, 5000));
  assert.equal((await home.docket(['bundle', 'verify', inHome('cut.tar')])).code, 8);
  assert.equal((await home.docket(['bundle', 'verify', inHome('none.tar')])).code, 5);
  assert.equal((await home.docket(['bundle', 'verify', inHome('claim.tar'), '--key', scan])).code, 2);
  const again = ['bundle', job, '--out', inHome('claim.tar'), '--reason', 'claim 4711'];
  assert.equal((await home.docket(again)).code, 6);
  await rm(inHome('cut.tar'));
});
