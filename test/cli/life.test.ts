import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { processExists, readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { eventually } from '../support/eventually.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

let home: CliHome;
let stack: Running;

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
});
after(() => home.remove());

const postmaster = () => readPostmasterFile(join(home.folder, 'data/postgres'));

test('a worker beside the stack takes part and leaves when told to', async () => {
  const worker = await home.start(['worker']);
  assert.equal(worker.first['state'], 'ready');
  assert.equal((await home.json<{ workers: number }>(['status'])).workers, 2);
  assert.equal(await worker.stop(), 0);
  assert.equal((await home.json<{ workers: number }>(['status'])).workers, 1);
});

test('the stack starts a killed server again, and its worker goes on', async () => {
  const killed = postmaster()!.pid;
  process.kill(killed, 'SIGKILL');
  await eventually(
    'another server is ready',
    () => {
      const now = postmaster();
      return now !== undefined && now.pid !== killed && now.status === 'ready';
    },
    { withinMs: 30_000 },
  );
  const scan = CliHome.corpus('17-cut-short.jpg');
  const { documents } = await home.json<{ documents: { state: string; code: string }[] }>(
    ['submit', scan, '--wait'],
    7,
  );
  assert.deepEqual([documents[0]?.state, documents[0]?.code], ['quarantined', 'TRUNCATED']);
});

test('the stack ends cleanly on SIGTERM, and takes its server with it', async () => {
  const { pid } = postmaster()!;
  assert.equal(await stack.stop(), 0);
  assert.equal(processExists(pid), false);
});

test('a command starts the server of a stack that is down, for as long as it takes', async () => {
  const { states } = await home.json<{ states: { state: string; documents: number }[] }>(['status']);
  assert.equal(states.find((row) => row.state === 'quarantined')?.documents, 1);
  assert.equal(postmaster(), undefined);
});
