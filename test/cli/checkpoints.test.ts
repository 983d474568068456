import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';
import { eventually } from '../support/eventually.ts';

/** What somebody does who keeps checkpoints: look, keep, verify by openssl, rotate, and go on after a restore. */
let home: CliHome;
let stack: Running;
const run = promisify(execFile);

interface Listed {
  checkpoints: { epoch: number; origin: string; size: number; root: string; signed_by: string[] }[];
  places: { place: string; kind: string; size: number | null; failure: string | null }[];
}

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
});
after(async () => {
  await stack.stop();
  await home.remove();
});

const list = () => home.json<Listed>(['checkpoint', 'list']);
const listed = (what: string, is: (found: Listed) => boolean) =>
  eventually(what, async () => {
    const found = await list();
    return is(found) && found;
  });

/** Verifies a note by openssl alone, as docs/audit-log.md says. */
async function opensslSays(note: string, key: string): Promise<string> {
  await writeFile(join(home.folder, 'checkpoint'), note);
  await writeFile(join(home.folder, 'log.vkey'), `${key}\n`);
  const page = await readFile(new URL('../../docs/audit-log.md', import.meta.url), 'utf8');
  const script = /```sh\n(name=.*?)```/s.exec(page)![1]!;
  const { stdout } = await run('bash', ['-ec', script], { cwd: home.folder });
  return stdout;
}

test('a checkpoint is signed by itself, listed, shown as it lies in the file, and good by its printed key', async () => {
  assert.equal((await stat(join(home.folder, 'data/log-key.pem'))).mode & 0o777, 0o600);
  await home.docket(['submit', CliHome.corpus('12-weighbridge-ticket-phone.jpg')]);
  const { checkpoints, places } = await listed('a checkpoint', (found) => found.checkpoints.length > 0);
  const { stdout: note } = await home.docket(['checkpoint', 'show', String(checkpoints[0]!.size)]);
  const file = await readFile(join(home.folder, 'data/checkpoints.jsonl'), 'utf8');
  const notes = file
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { note: string }).note);
  assert.ok(notes.includes(note), 'byte for byte');
  const [origin, size, root] = note.split('\n');
  assert.deepEqual(
    [origin, Number(size), Buffer.from(root!, 'base64').toString('hex')],
    [checkpoints[0]!.origin, checkpoints[0]!.size, checkpoints[0]!.root],
  );
  assert.deepEqual(
    places.map(({ kind, failure }) => [kind, failure]),
    [['file', null]],
  );
  const { keys } = await home.json<{ keys: { key: string }[] }>(['checkpoint', 'keys']);
  assert.equal(keys.length, 1);
  assert.match(await opensslSays(note, keys[0]!.key), /Verified Successfully/);
  const text = await home.docket(['checkpoint', 'list']);
  assert.match(text.stdout, new RegExp(checkpoints[0]!.root));
  assert.match(text.stdout, /Copies, as the signer says/);
  const none = await home.json<{ error: { code: string } }>(['checkpoint', 'show', '999999'], 5);
  assert.equal(none.error.code, 'CHECKPOINT_NOT_FOUND');
});

test('after a rotation a new key signs, and both are printed', async () => {
  const old = await readFile(join(home.folder, 'data/log-key.pem'), 'utf8');
  await home.json(['checkpoint', 'rotate']);
  assert.notEqual(await readFile(join(home.folder, 'data/log-key.pem'), 'utf8'), old);
  const { size } = (await list()).checkpoints[0]!;
  await home.docket(['submit', CliHome.corpus('12-weighbridge-ticket-phone.jpg')]);
  await listed('a larger checkpoint', (found) => found.checkpoints[0]!.size > size);
  const { keys } = await home.json<{ keys: { key: string }[] }>(['checkpoint', 'keys']);
  assert.equal(keys.length, 2);
  const { stdout: note } = await home.docket(['checkpoint', 'show']);
  assert.match(await opensslSays(note, keys[0]!.key), /Verified Successfully/);
  await assert.rejects(opensslSays(note, keys[1]!.key));
});

test('a recovery that is declared begins a new epoch, says what the newest checkpoint shows, and is signed under a new name', async () => {
  const before = (await list()).checkpoints[0]!;
  const declared = await home.json<Record<string, unknown>>([
    'recovery',
    'declare',
    '--reason',
    'The backup of Monday was restored.',
  ]);
  assert.deepEqual(
    [declared['epoch'], declared['finding'], declared['lost_leaves']],
    [before.epoch + 1, 'nothing', 0],
  );
  assert.equal(declared['origin'], `${before.origin}/2`);
  assert.ok(Number(declared['checkpoint_size']) >= before.size);
  const after = await listed('a checkpoint of the new epoch', (found) => found.checkpoints[0]!.epoch === 2);
  assert.equal(after.checkpoints[0]!.origin, `${before.origin}/2`);
  assert.ok(after.checkpoints[0]!.size > before.size);
  const { error } = await home.json<{ error: { code: string } }>(['recovery', 'declare'], 2);
  assert.equal(error.code, 'USAGE');
});
