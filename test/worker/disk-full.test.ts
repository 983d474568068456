import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { eventually } from '../support/eventually.ts';
import { filesBelow } from '../support/traces.ts';
import { Deliverer, deliverScans } from './deliver-acknowledged.ts';
import { createFixture } from './fixture.ts';
import { openOwnServer } from './own-server.ts';
import { arePublished, fatesOf } from './published-once.ts';

const MIB = 1024 * 1024;

/** A file system of its own of so many MiB, or why there can be none. */
function smallDisk(sizeMb: number): { folder: string; grow(toMb: number): void } | string {
  const folder = mkdtempSync(join(tmpdir(), 'dkt-disk-'));
  const mount = (...options: string[]) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder], { stdio: 'pipe' });
  try {
    mount(`size=${String(sizeMb)}m`, 'mode=711');
  } catch {
    rmdirSync(folder);
    return 'file systems can be mounted by root alone';
  }
  after(() => {
    execFileSync('umount', ['-l', folder]);
    rmdirSync(folder);
  });
  return { folder, grow: (toMb) => void mount('remount', `size=${String(toMb)}m`) };
}

const fixture = await createFixture();
const tempDisk = smallDisk(2);
const dataDisk = smallDisk(400);

test(
  'a worker without room for temporary files leaves none, and goes on when there is room',
  { skip: typeof tempDisk === 'string' && tempDisk },
  async () => {
    assert.ok(typeof tempDisk !== 'string');
    // The waits between tries are not what is tested.
    await fixture.db.query(
      `update docket.failure_codes set base_delay = '100 ms', longest_delay = '100 ms', max_tries = 1000 where code = 'TEMP_STORAGE_FAILED'`,
    );
    const worker = await fixture.startWorker(createNullEngine(), { config: { tempDir: tempDisk.folder } });
    const large = await fixture.put(randomBytes(4 * MIB).toString('base64'));
    const [job] = await fixture.deliver(large);
    await eventually('it failed for want of room', async () => {
      const { rowCount } = await fixture.db.query(
        `select from docket.attempts where job_id = $1 and code = 'TEMP_STORAGE_FAILED'`,
        [job],
      );
      return rowCount;
    });
    const [small] = await fixture.deliver(await fixture.put('a small one'));
    await eventually(
      'a small one finds room',
      async () => (await fixture.states([small!]))[0] === 'published',
    );
    tempDisk.grow(32);
    await eventually('the large one too', async () => (await fixture.states([job!]))[0] === 'published', {
      withinMs: 60_000,
    });
    assert.deepEqual(filesBelow(tempDisk.folder), []);
    await worker.stop();
  },
);

test(
  'a full disk of Postgres refuses deliveries, and loses none that it acknowledged; nobody is restarted when there is room',
  { skip: typeof dataDisk === 'string' && dataDisk, timeout: 170_000 },
  async (t) => {
    assert.ok(typeof dataDisk !== 'string');
    const server = await openOwnServer({
      folder: dataDisk.folder,
      settings: { max_wal_size: '48MB', min_wal_size: '32MB' },
    });
    const { ask, log } = server;
    const store = createMemoryStore();
    const worker = await startWorker({
      config: { ...server.config, ioSlots: 20, ocrSlots: 20 },
      keyring: await openKeyring(server.config),
      store,
      engine: createNullEngine(),
      log,
    });
    const sender = new Deliverer(server.cluster.url('postgres'), log);
    const scans = deliverScans(sender, store, 50);
    const ballast = join(dataDisk.folder, 'ballast');
    try {
      await eventually(
        'some are published',
        async () => sender.jobs.length > 20 && (await arePublished(ask, sender.jobs.slice(0, 20))),
      );
      assert.throws(() => writeFileSync(ballast, Buffer.alloc(sizeOf(dataDisk.folder))), { code: 'ENOSPC' });
      await eventually('a delivery is refused', () => sender.repeated > 0, { withinMs: 90_000 });
      const before = sender.jobs.length;
      rmSync(ballast);
      // Where the log itself had no room, Postgres gave up.
      await server.cluster.ensureRunning();
      await eventually('deliveries are taken again', () => sender.jobs.length > before + 10, {
        withinMs: 60_000,
      });
      t.diagnostic(`${String(before)} acknowledged before, ${String(sender.repeated)} refused`);
      await scans.end();
      await eventually('all are published', () => arePublished(ask, sender.jobs), { withinMs: 60_000 });
      await worker.stop();
      assert.deepEqual(await fatesOf(ask, sender.jobs), { lost: 0, doubled: 0 });
    } finally {
      rmSync(ballast, { force: true });
      await sender.stop();
      await scans.end();
      await worker.stop();
      await server.close();
    }
  },
);

function sizeOf(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return blocks * bsize;
}
