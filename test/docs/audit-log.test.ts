import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { readCheckpoint } from '../../src/domain/checkpoint.ts';
import { isSignedBy } from '../../src/domain/signed-note.ts';
import { readVerifierKey } from '../../src/domain/verifier-key.ts';

const run = promisify(execFile);
const TEXT = await readFile(new URL('../../docs/audit-log.md', import.meta.url), 'utf8');
const [checkpoint = '', key = ''] = [...TEXT.matchAll(/```text\n(docket\/.*?)```/gs)].map(
  ([, block]) => block!,
);
const [, commands = ''] = /```sh\n(.*?)```/s.exec(TEXT) ?? [];

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docket-checkpoint-'));
  await writeFile(join(folder, 'log.vkey'), key);
});
after(() => rm(folder, { recursive: true, force: true }));

async function verify(note: string): Promise<string> {
  await writeFile(join(folder, 'checkpoint'), note);
  return (await run('sh', ['-ec', commands], { cwd: folder })).stdout;
}

test('the checkpoint that the page shows is that of the leaves 00 and 0000, and is signed by the key that it shows', () => {
  const read = readCheckpoint(checkpoint);
  const sha256 = (...bytes: number[]) => createHash('sha256').update(Buffer.from(bytes)).digest();
  assert.equal(read.size, 2n);
  assert.deepEqual(read.root, Buffer.from(sha256(1, ...sha256(0), ...sha256(0, 0))));
  assert.ok(isSignedBy(read, readVerifierKey(key)));
});

test('the commands that the page gives find the checkpoint good, among other signatures too, and an altered one not', async () => {
  assert.match(await verify(checkpoint), /Signature Verified Successfully/);
  const other = checkpoint.split('\n')[4]!.replace('docket/0b5e7a3c', 'witness/0b5e7a3c');
  assert.match(await verify(`${checkpoint}${other}\n`), /Signature Verified Successfully/);
  await assert.rejects(verify(checkpoint.replace('\n2\n', '\n3\n')));
  await assert.rejects(verify(checkpoint.replace('+sVCA', '+sVCB')));
});
