import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createFileStore } from '../../src/store/file-store.ts';
import { testConformance } from './conformance.ts';

const home = await mkdtemp(join(tmpdir(), 'docket-store-'));
after(() => rm(home, { recursive: true, force: true }));
let folders = 0;
const newRoot = () => join(home, `store-${++folders}`);
const signal = new AbortController().signal;

testConformance('file', 'file:', () => Promise.resolve(createFileStore(newRoot())));

async function* one(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

test('the file store keeps files 0600 in folders 0700, named by their SHA-256, and leaves no draft', async () => {
  const root = newRoot();
  const { locator, sha256 } = await createFileStore(root).put(one('a bill of lading'));
  const hex = sha256.toString('hex');
  assert.equal(locator, `file:${hex.slice(0, 2)}/${hex}`);
  assert.equal((await stat(join(root, hex.slice(0, 2), hex))).mode & 0o777, 0o600);
  assert.equal((await stat(join(root, hex.slice(0, 2)))).mode & 0o777, 0o700);
  assert.equal((await stat(root)).mode & 0o777, 0o700);
  assert.deepEqual(await readdir(join(root, '.incoming')), []);
});

test('the file store has no file left of an object whose source failed', async () => {
  const root = newRoot();
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('half');
    await Promise.reject(new Error('the source broke'));
  }
  await assert.rejects(createFileStore(root).put(failing()), /the source broke/);
  assert.deepEqual((await readdir(root, { recursive: true })).sort(), ['.docket-store', '.incoming']);
});

test('the file store reads whatever file lies below its root, in any folder', async () => {
  const root = newRoot();
  await mkdir(join(root, '2026/scans'), { recursive: true });
  await writeFile(join(root, '2026/scans/page one.png'), 'bytes');
  const stream = await createFileStore(root).get(
    { locator: 'file:2026/scans/page one.png', version: null },
    { signal },
  );
  assert.equal((await buffer(stream)).toString(), 'bytes');
});

test('the file store refuses links that lead out of it, and folders', async () => {
  const root = newRoot();
  const store = createFileStore(root);
  await mkdir(join(root, 'folder'), { recursive: true });
  await writeFile(join(home, 'secret'), 'secret');
  await symlink(join(home, 'secret'), join(root, 'link'));
  await symlink(home, join(root, 'way-out'));
  for (const key of ['link', 'way-out/secret', 'folder']) {
    await assert.rejects(store.get({ locator: `file:${key}`, version: null }, { signal }), {
      code: 'LOCATOR_INVALID',
    });
  }
});

test('the file store neither replaces nor accepts a stored file that was changed', async () => {
  const root = newRoot();
  const store = createFileStore(root);
  const { sha256 } = await store.put(one('signed'));
  const hex = sha256.toString('hex');
  await writeFile(join(root, hex.slice(0, 2), hex), 'forged');
  await assert.rejects(store.put(one('signed')), { code: 'HASH_MISMATCH' });
});

test('the file store says STORE_UNAVAILABLE, not OBJECT_NOT_FOUND, when its folder is gone', async () => {
  const root = newRoot();
  const store = createFileStore(root);
  const stored = await store.put(one('here today'));
  await rename(root, `${root}-unmounted`);
  await assert.rejects(store.get(stored, { signal }), { code: 'STORE_UNAVAILABLE' });
});

test('while only the empty place of its share is there, the file store is away for everything, and puts nothing there', async () => {
  for (const remains of [false, true]) {
    const root = newRoot();
    const store = createFileStore(root);
    const stored = await store.put(one('on the share'));
    await rename(root, `${root}-unmounted`);
    if (remains) await mkdir(root);
    for (const again of [store, createFileStore(root, { mayBegin: false })]) {
      const away = { code: 'STORE_UNAVAILABLE' };
      await assert.rejects(again.get(stored, { signal }), away);
      await assert.rejects(again.stat(stored, { signal }), away);
      await assert.rejects(again.remove(stored, { signal }), away);
      await assert.rejects(again.put(one('more')), away);
      await assert.rejects(async () => {
        for await (const object of again.list({ signal })) assert.fail(object.locator);
      }, away);
    }
    assert.deepEqual(await readdir(root).catch(() => 'nothing'), remains ? [] : 'nothing');
    if (remains) await rmdir(root);
    await rename(`${root}-unmounted`, root);
    assert.equal((await buffer(await store.get(stored, { signal }))).toString(), 'on the share');
  }
});

test('a share that goes while an object is on its way gets nothing stored in its place', async () => {
  const root = newRoot();
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.from('half');
    await rename(root, `${root}-unmounted`);
    await mkdir(join(root, '.incoming'), { recursive: true });
    yield Buffer.from('the rest');
  }
  await assert.rejects(createFileStore(root).put(slow()), { code: 'STORE_UNAVAILABLE' });
  assert.deepEqual(await readdir(root), ['.incoming']);
});

test('a folder of an earlier version, with objects and no marker, goes on, and is away once it is gone', async () => {
  const root = newRoot();
  const stored = await createFileStore(root).put(one('of last year'));
  await rm(join(root, '.docket-store'));
  const store = createFileStore(root, { mayBegin: false });
  assert.equal((await store.stat(stored, { signal })).sizeBytes, 12);
  assert.ok((await readdir(root)).includes('.docket-store'));
  await rm(root, { recursive: true });
  await mkdir(root);
  await assert.rejects(store.stat(stored, { signal }), { code: 'STORE_UNAVAILABLE' });
});

test('the marker of the file store is no object', async () => {
  const root = newRoot();
  const store = createFileStore(root);
  await store.put(one('an object'));
  const marker = { locator: 'file:.docket-store', version: null };
  await assert.rejects(store.get(marker, { signal }), { code: 'LOCATOR_INVALID' });
  await assert.rejects(store.remove(marker, { signal }), { code: 'LOCATOR_INVALID' });
  assert.ok((await readdir(root)).includes('.docket-store'));
});

test('the file store says STORE_UNAVAILABLE when it cannot write', async () => {
  await writeFile(join(home, 'a-file'), '');
  await assert.rejects(createFileStore(join(home, 'a-file')).put(one('x')), { code: 'STORE_UNAVAILABLE' });
});

test('the file store closes a file that was opened but never read', async () => {
  const store = createFileStore(newRoot());
  const stored = await store.put(one('unread'));
  const stream = await store.get(stored, { signal });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.destroy();
  await closed;
});
