import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCheckpointSigner } from '../../src/checkpoints/signer.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();
const { store, keyring, log } = fixture;
const engine = createNullEngine();

test('a worker refuses to start where waiting would not help, and says why', async () => {
  const absent = fixture.config.databaseUrl!.replace(/\/test_[0-9a-f]+/, '/absent');
  const config = { ...fixture.config, workerUrl: absent };
  await assert.rejects(startWorker({ config, store, keyring, engine, log }), { code: 'DATABASE_NOT_FOUND' });

  const { databaseUrl, workerUrl, queueUrl } = {
    databaseUrl: undefined,
    workerUrl: undefined,
    queueUrl: undefined,
  };
  const nowhere = { ...fixture.config, databaseUrl, workerUrl, queueUrl };
  await assert.rejects(startWorker({ config: nowhere, store, keyring, engine, log }), {
    code: 'CONFIG_INVALID',
  });

  const homeless = { ...fixture.config, tempDir: '/dev/null' };
  await assert.rejects(startWorker({ config: homeless, store, keyring, engine, log }), {
    code: 'TEMP_STORAGE_FAILED',
  });
});

test('a worker refuses a database that was never migrated', async () => {
  const database = await createTestDatabase();
  await database.pool().query('drop schema docket cascade');
  const config = { ...fixture.config, workerUrl: database.url(), queueUrl: database.url() };
  await assert.rejects(startWorker({ config, store, keyring, engine, log }), {
    code: 'DATABASE_NOT_MIGRATED',
  });
});

test('a worker that waits for its database gives up when it is told to', async () => {
  const config = { ...fixture.config, workerUrl: 'postgres://docket_worker@/docket?host=/nowhere' };
  const control = new AbortController();
  const starting = startWorker({ config, store, keyring, engine, log, signal: control.signal });
  const reason = new Error('told to');
  control.abort(reason);
  await assert.rejects(starting, (error) => error === reason);
});

test('a failed start leaves neither lease, connection nor temporary folder', async () => {
  const checkpointSigner = await openCheckpointSigner(fixture.config, { mayMake: true });
  const config = { ...fixture.config, witnessFile: '/nowhere', witnessMode: 'required' as const };
  await assert.rejects(startWorker({ config, store, keyring, engine, checkpointSigner, log }), {
    code: 'CONFIG_WITNESSES',
  });
  const { rows } = await fixture.db.query('select from docket.leases where closed_at is null');
  assert.equal(rows.length, 0);
  await eventually('no connection is left', async () => {
    const left = await fixture.db.query(
      `select from pg_stat_activity where datname = current_database() and application_name ~ '^docket-(lease|worker|queue|duties)'`,
    );
    return left.rows.length === 0;
  });
});
