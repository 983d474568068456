import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { addReceiptKey } from '../../src/receipts/key-file.ts';
import { signReceipt } from '../../src/receipts/sign-receipt.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { RECEIPT } from './sample-receipt.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TEXT = readFileSync(join(ROOT, 'docs/receipts.md'), 'utf8');

/** The commands that the page tells, by the program that they need. */
function blockWith(word: string): string {
  const blocks = [...TEXT.matchAll(/^```(?:sh|js)\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.filter((block) => block.includes(word));
  assert.equal(found.length, 1, `the page has one block with ${word}`);
  return found[0]!;
}

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dkt-docs-'));
  const place = { receiptKeyFile: join(folder, 'private.json') };
  const signer = (await openReceiptSigner(place, { mayMake: true }))!;
  const { publicJwk: older } = await signer.current();
  const key = await addReceiptKey(place.receiptKeyFile);
  // as docket receipt keys prints it
  await writeFile(
    join(folder, 'keys.json'),
    `${JSON.stringify({ keys: [key.publicJwk, older] }, null, 2)}\n`,
  );
  await writeFile(join(folder, 'receipt.jws'), `${signReceipt(RECEIPT, key)}\n`);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const docket = join(folder, 'docket');
  await writeFile(docket, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'src/cli/main.ts')}' "$@"\n`);
  await chmod(docket, 0o755);
});
after(() => rm(folder, { recursive: true, force: true }));

function shell(script: string) {
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return spawnSync('sh', ['-ec', script], { cwd: folder, encoding: 'utf8', env });
}

async function node(script: string) {
  await writeFile(join(folder, 'verify.mjs'), script);
  return spawnSync(process.execPath, ['verify.mjs'], { cwd: folder, encoding: 'utf8' });
}

const WAYS = {
  'openssl alone': () => shell(blockWith('openssl')),
  'jose alone': () => node(blockWith('compactVerify')),
  'docket without a database': () => shell(blockWith('docket receipt verify')),
};

for (const [way, verify] of Object.entries(WAYS)) {
  test(`the commands of docs/receipts.md verify a receipt by ${way}`, async () => {
    const { status, stdout, stderr } = await verify();
    assert.equal(status, 0, stderr);
    assert.match(stdout, /docket-receipt\+jws|genuine|carrier-a/);
    assert.ok(stdout.includes(RECEIPT.statement), stdout);
    assert.ok(stdout.includes(RECEIPT.event!.hash));
    if (way === 'openssl alone') assert.match(stdout, /Signature Verified Successfully/);
  });
}

for (const [way, verify] of Object.entries(WAYS)) {
  test(`the commands of docs/receipts.md refuse a receipt that was altered, by ${way}`, async () => {
    const file = join(folder, 'receipt.jws');
    const genuine = await readFile(file, 'utf8');
    const [header, , signature] = genuine.split('.');
    const payload = Buffer.from(JSON.stringify({ ...RECEIPT, outcome: 'DUPE' })).toString('base64url');
    await writeFile(file, [header, payload, signature].join('.'));
    try {
      const { status, stdout } = await verify();
      assert.notEqual(status, 0);
      assert.doesNotMatch(stdout, /DUPE/);
      if (way === 'docket without a database') assert.equal(status, 8);
    } finally {
      await writeFile(file, genuine);
    }
  });
}
