import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLog } from '../src/log.ts';
import { makeTempFolder, sweepTempFolders } from '../src/temp-folder.ts';

const home = await mkdtemp(join(tmpdir(), 'dkt-'));
after(() => rm(home, { recursive: true, force: true }));
const log = createLog({ level: 'silent' });
let roots = 0;
const newRoot = () => join(home, `r${++roots}`);

/** A process that holds a folder with a file in it. */
async function holder(root: string, lease: string) {
  const module = join(import.meta.dirname, '../src/temp-folder.ts');
  const program = `
    const { makeTempFolder } = await import(${JSON.stringify(module)});
    const { writeFileSync } = await import('node:fs');
    const folder = await makeTempFolder(${JSON.stringify(root)}, ${JSON.stringify(lease)}, {});
    writeFileSync(folder.path + '/scan', 'words');
    console.log('ready');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('the folder of a lease is for this user alone, and is gone after it was removed', async () => {
  const root = newRoot();
  const folder = await makeTempFolder(root, randomUUID(), log);
  assert.equal((await stat(folder.path)).mode & 0o777, 0o700);
  assert.equal((await stat(root)).mode & 0o777, 0o700);
  await writeFile(join(folder.path, 'scan'), 'words');
  await folder.remove();
  assert.deepEqual(await readdir(root), []);
});

test('a folder that somebody removed is made again, with its proof of life, for all who ask at once', async () => {
  const root = newRoot();
  const lease = randomUUID();
  const folder = await makeTempFolder(root, lease, log);
  await writeFile(join(folder.path, 'scan'), 'words');
  assert.equal(await folder.ensure(), folder.path);
  assert.deepEqual(await readdir(folder.path), ['scan'], 'what is there stays');

  await rm(folder.path, { recursive: true });
  await Promise.all([folder.ensure(), folder.ensure()]);
  assert.equal((await stat(folder.path)).mode & 0o777, 0o700);

  await rm(root, { recursive: true });
  await Promise.all([folder.ensure(), folder.ensure()]);
  assert.equal((await stat(root)).mode & 0o777, 0o700);
  assert.deepEqual((await readdir(root)).toSorted(), [lease, `${lease}.alive`]);
  assert.equal(await sweepTempFolders(root, log), 0, 'it is alive');

  await folder.remove();
  assert.deepEqual(await readdir(root), []);
  await assert.rejects(folder.ensure(), { code: 'TEMP_STORAGE_FAILED' });
});

test('a folder that others can look into is not used in place of one that vanished', async () => {
  const folder = await makeTempFolder(newRoot(), randomUUID(), log);
  await rm(folder.path, { recursive: true });
  await mkdir(folder.path);
  await chmod(folder.path, 0o755);
  await assert.rejects(folder.ensure(), { code: 'TEMP_STORAGE_FAILED' });
  await folder.remove();
});

test('a sweep removes the folders of killed processes, and not those of processes that live or stand still', async () => {
  const root = newRoot();
  const [killed, stopped] = [randomUUID(), randomUUID()];
  const victim = await holder(root, killed);
  const frozen = await holder(root, stopped);
  const mine = await makeTempFolder(root, randomUUID(), log);
  assert.equal(await sweepTempFolders(root, log), 0);

  victim.kill('SIGKILL');
  await once(victim, 'exit');
  frozen.kill('SIGSTOP');
  assert.equal(await sweepTempFolders(root, log), 1);
  const left = await readdir(root);
  assert.ok(!left.some((name) => name.startsWith(killed)));
  assert.ok(left.includes(stopped));
  assert.deepEqual(await readdir(join(root, stopped)), ['scan']);
  await mine.remove();
});

test('a sweep leaves alone what is not a folder of a lease, and a folder whose proof of life is missing', async () => {
  const root = newRoot();
  const lease = randomUUID();
  await mkdir(join(root, lease), { recursive: true });
  await mkdir(join(root, 'notes'));
  await writeFile(join(root, 'notes.alive'), '');
  assert.equal(await sweepTempFolders(root, log), 0);
  assert.deepEqual((await readdir(root)).toSorted(), [lease, 'notes', 'notes.alive'].toSorted());
});

test('a sweep of a root that does not exist finds nothing', async () => {
  assert.equal(await sweepTempFolders(newRoot(), log), 0);
});

test('a root in which others may rename what is ours is refused, as is one with too long a path', async () => {
  const root = newRoot();
  await mkdir(root);
  await chmod(root, 0o777);
  await assert.rejects(makeTempFolder(root, randomUUID(), log), { code: 'TEMP_STORAGE_FAILED' });
  await chmod(root, 0o1777);
  await (await makeTempFolder(root, randomUUID(), log)).remove();
  await assert.rejects(makeTempFolder(join(home, 'x'.repeat(90)), randomUUID(), log), {
    code: 'TEMP_STORAGE_FAILED',
  });
  await writeFile(join(home, 'file'), '');
  await assert.rejects(makeTempFolder(join(home, 'file'), randomUUID(), log), {
    code: 'TEMP_STORAGE_FAILED',
  });
});
