import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askSuperuser } from '../../src/db/cluster/superuser.ts';
import { createTestDatabase } from './database.ts';
import { createLogin, createSender } from './logins.ts';
import { testCluster } from './test-cluster.ts';

const database = await createTestDatabase();

test('a sender of a test delivers for its source and reads the job back', async () => {
  const sender = await createSender(database, 'carrier-a');
  const { rows } = await sender.pool.query<{ job_id: string; session_user: string }>(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
     values ('carrier-a', sha256('a scan'), 'memory:a', 6, 'image/png', now())
     returning job_id, session_user`,
  );
  assert.equal(rows[0]?.session_user, sender.name);
  assert.match(rows[0].job_id, /^[0-9a-f-]{36}$/);
});

test('logins are dropped with their database', async () => {
  const short = await createTestDatabase();
  const auditor = await createLogin(short, 'docket_auditor');
  await auditor.pool.query('select 1');
  await short.drop();
  const left = await askSuperuser(testCluster(), 'select from pg_roles where rolname = $1', [auditor.name]);
  assert.equal(left.length, 0);
});
