import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type pg from 'pg';
import type { CheckpointSigner } from '../../src/checkpoints/signer.ts';
import type { Config } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import type { Log } from '../../src/log.ts';
import { createLog } from '../../src/log.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import type { ReceiptSigner } from '../../src/receipts/signer.ts';
import type { Keyring } from '../../src/sealing/keyring.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createFileStore } from '../../src/store/file-store.ts';
import type { ObjectStore, StoredObject } from '../../src/store/store.ts';
import type { Traces } from '../../src/traces.ts';
import type { Worker } from '../../src/worker/start-worker.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { createTestDatabase } from '../support/database.ts';
import type { LoginGroup } from '../support/logins.ts';
import { createLogin } from '../support/logins.ts';

/** A database with a source, a store, and workers that are stopped when the tests of the file are over. */
export interface Fixture {
  readonly config: Config;
  readonly store: ObjectStore;
  readonly keyring: Keyring;
  readonly log: Log;
  /** The superuser's pool, to look at anything. */
  readonly db: pg.Pool;
  /** Stores a small PNG-like object with these words in it, in a folder if one is named, and does not deliver it. */
  put(content: string, folder?: string): Promise<StoredObject>;
  /** Delivers objects as lying in the clear, each with what is to be stated otherwise; returns the ids of their jobs. */
  deliver: Deliver;
  /** Connections of a login in a group, which is dropped with the database. */
  login(group: LoginGroup): Promise<pg.Pool>;
  /** Adds a further source; returns what delivers for it. */
  addSource(sourceId: string): Promise<Deliver>;
  startWorker(
    engine: OcrEngine,
    options?: {
      config?: Partial<Config>;
      store?: ObjectStore;
      keyring?: Keyring;
      signer?: ReceiptSigner;
      checkpointSigner?: CheckpointSigner;
      traces?: Traces | undefined;
    },
  ): Promise<Worker>;
  /** What became of jobs: their states, in the order given. */
  states(jobs: readonly string[]): Promise<string[]>;
  /** The events of a job, in order. */
  events(job: string): Promise<string[]>;
}

export type Deliver = (...objects: (StoredObject & Partial<Stated>)[]) => Promise<string[]>;

export interface Stated {
  sha256: Buffer;
  locator: string;
  version: string | null;
  sizeBytes: number;
  envelope: Buffer;
  documentKind: string;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const SOURCE = 'carrier-a';

export async function createFixture(): Promise<Fixture> {
  const database = await createTestDatabase();
  const home = await mkdtemp(join(tmpdir(), 'dkt-'));
  after(() => rm(home, { recursive: true, force: true }));
  const db = database.pool();
  const addSource = async (sourceId: string): Promise<Deliver> => {
    const login = `sender_${randomBytes(4).toString('hex')}`;
    await db.query(`create role ${login} login in role docket_app`);
    await db.query('select docket.add_source($1, $2)', [sourceId, login]);
    return (...objects) => deliver(database.pool(login), sourceId, objects);
  };

  const config: Config = {
    ...loadConfig({}),
    databaseUrl: database.url(),
    workerUrl: database.url('docket_worker'),
    queueUrl: database.url('docket_queue'),
    dataDir: home,
    keyFile: join(home, 'object-keys.json'),
    receiptKeyFile: join(home, 'receipt-keys.json'),
    logKeyFile: join(home, 'log-key.pem'),
    checkpointFile: join(home, 'checkpoints.jsonl'),
    checkpointSeconds: 1,
    tempDir: join(home, 'temp'),
    stopGraceMs: 2_000,
    ocrSlots: 2,
  };
  const store = createFileStore(join(home, 'objects'));
  const keyring = await openKeyring(config);
  const log = createLog({ level: process.env['TEST_LOG'] ?? 'silent' });

  return {
    config,
    store,
    keyring,
    log,
    db,
    put: (content, folder) => store.put(pngLike(content), folder === undefined ? {} : { folder }),
    deliver: await addSource(SOURCE),
    addSource,
    login: async (group) => (await createLogin(database, group)).pool,
    async startWorker(engine, options = {}) {
      const worker = await startWorker({
        config: { ...config, ...options.config },
        store: options.store ?? store,
        keyring: options.keyring ?? keyring,
        engine,
        signer: options.signer,
        checkpointSigner: options.checkpointSigner,
        traces: options.traces,
        log,
      });
      database.beforeDrop(() => worker.stop());
      return worker;
    },
    async states(jobs) {
      const { rows } = await db.query<{ state: string }>(
        `select j.state from unnest($1::uuid[]) with ordinality as n (job_id, position)
         join docket.jobs j using (job_id) order by n.position`,
        [jobs],
      );
      return rows.map((row) => row.state);
    },
    async events(job) {
      const { rows } = await db.query<{ event: string }>(
        'select event from docket_audit.events where job_id = $1 order by seq',
        [job],
      );
      return rows.map((row) => row.event);
    },
  };
}

async function deliver(
  sender: pg.Pool,
  sourceId: string,
  objects: (StoredObject & Partial<Stated>)[],
): Promise<string[]> {
  const { rows } = await sender.query<{ job_id: string }>(
    `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at, encryption,
       envelope, document_kind)
     select $1, o.sha256, o.locator, o.version, o.size_bytes, 'image/png', now() - interval '1 minute', 'none', o.envelope,
       coalesce(o.document_kind, 'unknown')
     from unnest($2::bytea[], $3::text[], $4::text[], $5::bigint[], $6::bytea[], $7::text[])
       as o (sha256, locator, version, size_bytes, envelope, document_kind)
     returning job_id`,
    [
      sourceId,
      objects.map((object) => object.sha256),
      objects.map((object) => object.locator),
      objects.map((object) => object.version),
      objects.map((object) => object.sizeBytes),
      objects.map((object) => object.envelope ?? null),
      objects.map((object) => object.documentKind ?? null),
    ],
  );
  return rows.map((row) => row.job_id);
}

async function* pngLike(content: string): AsyncGenerator<Buffer> {
  yield PNG_SIGNATURE;
  yield await Promise.resolve(Buffer.from(content));
}
