import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { readSqlFiles } from '../../src/db/sql-files.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';

const database = await createTestDatabase();
const connectionString = database.url();

/** A sender in the middle of a transaction, as forgotten ones are. */
async function withOpenDelivery(use: (sender: pg.Pool) => Promise<void>): Promise<void> {
  const sender = await createSender(database, 'carrier-a');
  const client = await sender.pool.connect();
  try {
    await client.query('begin');
    await client.query(DELIVER, [Buffer.alloc(32, 1)]);
    await use(sender.pool);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const DELIVER = `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
  values ('carrier-a', $1, 'memory:x', 1, 'image/png', '2026-01-01 00:00+00')`;

const replays = async () =>
  Number((await database.pool().query<{ n: string }>('select count(*) as n from docket.replays')).rows[0]?.n);

test('an unchanged database is left alone, even while a sender has a transaction open', async () => {
  const before = await replays();
  await withOpenDelivery(async () => {
    const report = await migrate({ connectionString, onlyIfChanged: true });
    assert.deepEqual(report.applied, []);
  });
  assert.equal(await replays(), before);
});

test('a migration gives up behind an open transaction, says so, and lets other senders through meanwhile', async () => {
  await withOpenDelivery(async (sender) => {
    const migrating = assert.rejects(migrate({ connectionString, patienceMs: 2_000 }), {
      code: 'MIGRATION_BLOCKED',
    });
    const progress = { isDone: false };
    void migrating.finally(() => (progress.isDone = true));
    for (let n = 0; !progress.isDone; n += 1) {
      const hash = Buffer.alloc(32, 2);
      hash.writeUInt32BE(n);
      await sender.query(`set statement_timeout = '1s'`);
      await sender.query(DELIVER, [hash]);
    }
    await migrating;
  });
  const before = await replays();
  await migrate({ connectionString });
  assert.equal(await replays(), before + 1);
});

test('a function whose parameter had another name in the release before is made anew', async () => {
  const older = await createTestDatabase({ empty: true });
  const files = await readSqlFiles();
  const text = `
    create function docket.hardening_gaps() returns table (step text, consequence text)
    language sql as 'select null, null where false';
    create function docket.search_page(p_scope integer, p_document uuid, p_attempt integer, p_page_no integer)
    returns table (text text, words json) language sql as 'select null, null::json'`;
  await migrate({
    connectionString: older.url(),
    files: {
      ...files,
      migrations: files.migrations.slice(0, 9),
      definitions: [{ name: 'older.sql', text, sha256: '' }],
    },
  });
  const { applied } = await migrate({ connectionString: older.url() });
  assert.deepEqual(
    applied,
    files.migrations.slice(9).map((file) => file.name),
  );
});
