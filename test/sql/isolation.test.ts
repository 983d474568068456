import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSender, type Sender } from '../support/logins.ts';
import { openLease, randomHash, result, Stage, type Candidate } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const other = await createSender(database, 'carrier-b');

// Whoever has to wait for another transaction fails instead. Set for the database: every new session has it.
await stage.db.query(`alter database ${database.name} set lock_timeout = '1s'`);

const INSERT = `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
  select $1, h, 'memory:x', 1, 'image/png', now() from unnest($2::bytea[]) as h`;

/** Delivers in a transaction that is left open until the returned function ends it. */
async function leaveOpen(
  sender: Sender,
  hashes: Buffer[],
): Promise<(how: 'commit' | 'rollback') => Promise<void>> {
  const client = await sender.pool.connect();
  await client.query('begin');
  await client.query(INSERT, [sender.sourceId, hashes]);
  let isOpen = true;
  const close = (error?: boolean) => {
    if (isOpen) client.release(error);
    isOpen = false;
  };
  // A test that fails before it ends the transaction must not keep the pool from closing.
  database.beforeDrop(async () => close(true));
  return async (how) => {
    await client.query(how);
    close();
  };
}

/** Brings documents, old and new, through every command there is; fails if any command waits for long. */
async function workThrough(...waiting: string[]): Promise<void> {
  const fresh = await stage.published();
  const failing = await stage.running();
  await stage.fail(failing, 'OCR_TIMEOUT');
  for (const job of waiting) await stage.verify(await stage.begin(job, 'hash'));
  await commands.reap(stage.worker);
  await commands.reconcile(stage.worker);
  assert.deepEqual(await commands.renewLease(stage.worker, { lease: stage.lease }), [{ renewed: true }]);
  assert.equal((await stage.job(fresh))['state'], 'published');
}

test('an open transaction over a duplicate of a job blocks no worker and no other sender', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256 });
  await stage.admit();
  const end = await leaveOpen(other, [sha256]);
  assert.equal(await stage.deliver({ sha256 }), job);
  await workThrough(job);
  await end('commit');
  await stage.admit();
  assert.deepEqual((await stage.events(job)).toSorted(), [
    'accepted',
    'admitted',
    'delivered_again',
    'delivered_again',
    'verified',
  ]);
});

for (const how of ['commit', 'rollback'] as const) {
  test(`an open transaction over a new hash blocks nobody who delivers it too; after its ${how} there is one job`, async () => {
    const sha256 = randomHash();
    const end = await leaveOpen(other, [sha256]);
    const job = await stage.deliver({ sha256 });
    await workThrough();
    assert.equal(await stage.job(job), undefined);
    await end(how);
    await stage.admit();
    const row = await stage.job(job);
    assert.equal(row['source_id'], how === 'commit' ? 'carrier-b' : 'carrier-a');
    assert.deepEqual(
      await stage.events(job),
      how === 'commit' ? ['accepted', 'delivered_again', 'admitted'] : ['accepted', 'admitted'],
    );
    const left = await stage.db.query('select from docket.arrivals');
    assert.equal(left.rows.length, 0);
  });

  test(`an open bulk insert that others deliver too holds up neither them nor admission; after its ${how} all is there`, async () => {
    const hashes = Array.from({ length: 2_000 }, randomHash);
    const end = await leaveOpen(other, hashes);
    const begun = performance.now();
    await stage.sender.pool.query(INSERT, ['carrier-a', hashes]);
    const inserted = performance.now() - begun;
    await stage.admit();
    const admitted = performance.now() - begun - inserted;
    assert.ok(inserted < 3_000, `the insert took ${String(inserted)} ms`);
    assert.ok(admitted < 3_000, `admission took ${String(admitted)} ms`);
    await workThrough();
    await end(how);
    for (let n = 0; n < 50 && (await arrivals()) > 0; n += 1) await stage.admit();
    assert.equal(await arrivals(), 0);
    const { rows } = await stage.db.query<{ jobs: string; again: string }>(
      `select count(*) as jobs, count(*) filter (where exists (
         select from docket_audit.events e where e.job_id = j.job_id and e.event = 'delivered_again')) as again
       from docket.jobs j where sha256 = any ($1)`,
      [hashes],
    );
    assert.deepEqual(rows, [{ jobs: '2000', again: how === 'commit' ? '2000' : '0' }]);
  });
}

async function arrivals(): Promise<number> {
  const { rows } = await stage.db.query<{ n: number }>('select count(*)::int as n from docket.arrivals');
  return rows[0]!.n;
}

test('two senders that deliver the same two hashes in opposite order do not deadlock', async () => {
  const [a, b] = [randomHash(), randomHash()];
  const [first, second] = await Promise.all([stage.sender.pool.connect(), other.pool.connect()]);
  const insert = (client: pg.PoolClient, source: string, hash: Buffer) =>
    client.query(INSERT, [source, [hash]]);
  await Promise.all([first.query('begin'), second.query('begin')]);
  await insert(first, 'carrier-a', a);
  await insert(second, 'carrier-b', b);
  await Promise.all([insert(first, 'carrier-a', b), insert(second, 'carrier-b', a)]);
  await Promise.all([first.query('commit'), second.query('commit')]);
  first.release();
  second.release();
  await stage.admit();
  const { rows } = await stage.db.query<{ n: string }>(
    'select count(*) as n from docket.jobs where sha256 in ($1, $2)',
    [a, b],
  );
  assert.equal(rows[0]!.n, '2');
});

test('eight senders with overlapping hashes beside four workers: no error, one job a hash, every chain whole', async () => {
  const hashes = Array.from({ length: 400 }, randomHash);
  const senders = [stage.sender, other];
  for (let n = 3; n <= 8; n += 1) senders.push(await createSender(database, `carrier-${n}`));
  const begun = performance.now();
  let delivered = 0;
  let published = 0;
  /** For as long as it takes to publish some on a busy machine, and long enough to collide on any. */
  const goesOn = () => {
    const ms = performance.now() - begun;
    return ms < 3_500 || (published <= 50 && ms < 60_000);
  };

  const send = async (sender: Sender, index: number) => {
    while (goesOn()) {
      const batch = Array.from(
        { length: 1 + (delivered % 20) },
        () => hashes[Math.floor(Math.random() * hashes.length)]!,
      );
      // Some senders leave their transaction open for a while, as slow applications do.
      const client = await sender.pool.connect();
      await client.query('begin');
      await client.query(INSERT, [sender.sourceId, batch]);
      if (index % 3 === 0) await delay(30);
      await client.query(index % 4 === 1 && delivered % 5 === 0 ? 'rollback' : 'commit');
      client.release();
      delivered += batch.length;
    }
  };
  const work = async () => {
    const { lease } = await openLease(database);
    while (goesOn()) {
      await workOnce(lease);
      const { rows } = await stage.db.query<{ n: number }>(
        `select count(*)::int as n from docket.jobs where state = 'published'`,
      );
      published = rows[0]!.n;
    }
  };
  await Promise.all([...senders.map(send), ...[1, 2, 3, 4].map(work)]);

  for (let n = 0; n < 50 && (await arrivals()) > 0; n += 1) await stage.admit();
  const { rows } = await stage.db.query<{ hashes: string; jobs: string; missing: string }>(
    `select count(distinct d.sha256) as hashes, count(distinct j.job_id) as jobs,
       count(*) filter (where j.job_id is null) as missing
     from docket.deliveries d left join docket.jobs j using (sha256) where d.sha256 = any ($1)`,
    [hashes],
  );
  assert.equal(rows[0]!.missing, '0');
  assert.equal(rows[0]!.jobs, rows[0]!.hashes);
  assert.ok(published > 50, `${String(published)} published of ${String(delivered)} deliveries`);
  for (const row of [...(await commands.verifyLog(stage.db)), ...(await commands.verifyResults(stage.db))]) {
    assert.equal(row.failed_count, '0', `${row.checked}: ${String(row.first_offender)}`);
  }
});

/** What a worker process does in one round: admission, and each task for whatever is due. */
async function workOnce(lease: string): Promise<void> {
  await commands.admit(stage.worker, { window: 60 });
  for (const task of ['hash', 'ocr', 'publish']) {
    const due = await stage.db.query<{ job_id: string }>(
      'select job_id from docket.jobs where next_task = $1 and token is null order by random() limit 20',
      [task],
    );
    const jobs = due.rows.map((row) => row.job_id);
    const refs = await Promise.all(jobs.map((job) => stage.ref(job, task)));
    const answers = await commands.beginAttempts(stage.worker, { jobs, refs, task, lease });
    const open = answers.filter((row) => row.code === null);
    const names = {
      jobs: open.map((row) => row.job_id),
      attempts: open.map((row) => row.attempt),
      tokens: open.map((row) => row.token),
    };
    if (task === 'hash') {
      const deliveries = open.map((row) => String((row.candidates as Candidate[])[0]!.delivery_id));
      const mediaTypes = open.map(() => 'image/png');
      const signatures = open.map(() => null);
      await commands.recordVerified(stage.worker, { ...names, deliveries, mediaTypes, signatures });
    } else if (task === 'ocr') {
      const configs = open.map(() => stage.config);
      await commands.recordResults(stage.worker, { ...names, configs, results: open.map(() => result()) });
    } else await commands.publishResults(stage.worker, names);
  }
  await commands.reap(stage.worker);
  await commands.reconcile(stage.worker);
}
