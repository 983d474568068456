import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import pg from 'pg';
import type { Config } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { socketUrl } from '../../src/db/cluster/superuser.ts';
import { jobIdOf } from '../../src/domain/job-id.ts';
import { readKeyFile } from '../../src/sealing/key-file.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { loadSdk } from '../../src/sealing/message.ts';
import { putScan } from '../../src/sealing/put-scan.ts';
import { unseal } from '../../src/sealing/sealed-object.ts';
import { createStore } from '../../src/store/create-store.ts';
import type { ObjectReference } from '../../src/store/store.ts';
import { eventually } from '../support/eventually.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

const SOURCE = 'carrier-a';
const SETTLED = { withinMs: 240_000, everyMs: 100 };
export const RUN_TIMEOUT_MS = 600_000;

/** A document that was delivered, with what a sender knows of it. */
export interface Delivered {
  readonly job: string;
  readonly scan: Buffer;
  readonly sha256: Buffer;
  readonly object: ObjectReference;
  readonly signer: Record<string, string>;
  readonly envelope: Buffer;
}

/** A wrapped key of an object, as a dump has it. */
interface WrappedKey {
  object_key_id: string;
  key_id: string;
  wrapped_key: Buffer;
}

/** A running stack with two evidence owners and a sender, and all that somebody could get hold of. */
export class DisposalRun {
  readonly home: CliHome;
  readonly config: Config;
  readonly #keys: string;
  #stack: Running | undefined;

  private constructor(home: CliHome, config: Config, keys: string) {
    this.home = home;
    this.config = config;
    this.#keys = keys;
  }

  /** `settings` name the object store, if it is not a folder. */
  static async start(settings: Record<string, string> = {}): Promise<DisposalRun> {
    const keys = mkdtempSync(join(tmpdir(), 'docket-recovery-'));
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(join(keys, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(keys, 'private.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), {
      mode: 0o600,
    });
    const all = { DOCKET_RECOVERY_KEY: join(keys, 'public.pem'), DOCKET_OCR_SLOTS: '1', ...settings };
    const home = await CliHome.make(all);
    const config = loadConfig({ ...all, DOCKET_DATA_DIR: join(home.folder, 'data') });
    const run = new DisposalRun(home, config, keys);
    run.#stack = await home.start(['up']);
    await run.ask(
      `create role anna login in role docket_evidence_owner; create role ben login in role docket_evidence_owner;
       create role carrier_a login in role docket_app; select docket.add_source('${SOURCE}', 'carrier_a')`,
    );
    // Documents of this kind may go as soon as two want it; no worker asks before them.
    await run.ask(`delete from docket.duties where duty = 'retain'`);
    await run.ask(`select docket.set_retention('unknown', '1 microsecond', 'a test')`, { as: 'anna' });
    // Envelopes are random bytes, so that every trace of them is one of them.
    await run.ask(`select docket.set_envelope_policy('recorded', 'a test', '${SOURCE}')`);
    return run;
  }

  async remove(): Promise<void> {
    await this.#stack?.stop();
    await this.home.remove();
    rmSync(this.#keys, { recursive: true, force: true });
  }

  /** Seals a scan of the corpus into the store, delivers it with a signer and an envelope, and waits until it is published. */
  async publish(name: string, signer: Record<string, string>): Promise<Delivered> {
    const scan = readFileSync(CliHome.corpus(name));
    const sha256 = createHash('sha256').update(scan).digest();
    const envelope = randomBytes(600);
    const object = await this.#put(scan, sha256);
    await this.ask(
      `insert into docket.submissions
         (source_id, sha256, locator, version, size_bytes, media_type, captured_at, signer, envelope)
       values ('${SOURCE}', $1, $2, $3, $4, 'image/png', now(), $5, $6)`,
      {
        as: 'carrier_a',
        values: [sha256, object.locator, object.version, scan.length, JSON.stringify(signer), envelope],
      },
    );
    const job = jobIdOf(sha256);
    await eventually(
      `${name} is published, redacted and can be found`,
      async () => {
        const [row] = await this.ask<{ is_done: boolean }>(
          `select exists (select from docket.jobs where job_id = $1 and state = 'published')
             and exists (select from docket.page_search where job_id = $1)
             and not exists (select from docket.search_todo) and not exists (select from docket.redaction_todo) as is_done`,
          { values: [job] },
        );
        return row!.is_done;
      },
      SETTLED,
    );
    return { job, scan, sha256, object, signer, envelope };
  }

  async #put(scan: Buffer, sha256: Buffer): Promise<ObjectReference> {
    const keyring = await openKeyring(this.config);
    const db = this.#pool('carrier_a');
    try {
      const put = await putScan(
        { store: createStore(this.config), keyring, db },
        { sourceId: SOURCE, sha256, bytes: Readable.from([scan]), signal: AbortSignal.timeout(60_000) },
      );
      return { locator: put.object, version: put.version };
    } finally {
      keyring.close();
      await db.end();
    }
  }

  /** Has somebody ask for a disposal; the sweeper may have been first, and is then told that a person wants to ask. */
  async requestDisposal(job: string, login: string): Promise<void> {
    const act = (verb: string) =>
      this.home.docket(['quarantine', verb, job, '--reason', 'its time is over', '--as', login, '--json']);
    let asked = await act('request-disposal');
    if (asked.stdout.includes('ZD035')) {
      const withdrawn = await act('withdraw-disposal');
      assert.equal(withdrawn.code, 0, withdrawn.stdout);
      asked = await act('request-disposal');
    }
    assert.equal(asked.code, 0, asked.stdout);
  }

  /** Every row of every table, as text: what a dump of the database has. */
  async dump(): Promise<Buffer> {
    const tables = await this.ask<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'm', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
    );
    const parts: string[] = [];
    for (const { name } of tables) {
      const rows = await this.ask<{ line: string }>(`select t::text as line from ${name} t`);
      parts.push(name, ...rows.map((row) => row.line));
    }
    return Buffer.from(parts.join('\n'));
  }

  /** The key file and the recovery key. */
  keys(): Buffer {
    return Buffer.concat([
      readFileSync(this.config.keyFile),
      readFileSync(join(this.#keys, 'private.pem')),
      readFileSync(join(this.#keys, 'public.pem')),
    ]);
  }

  /**
   * Whether a copy of a sealed object that somebody kept can be opened by anything there is: every key of an object that the
   * database still has, unwrapped by the key file and by the recovery key, and the keys of the key file themselves.
   */
  async canOpen(copy: Buffer, of: Delivered): Promise<boolean> {
    const sdk = await loadSdk();
    for (const { id, key } of await this.#allKeys()) {
      const binding = { objectKeyId: id, sha256: of.sha256, sourceId: SOURCE };
      const signal = AbortSignal.timeout(60_000);
      const opened = await buffer(unseal(sdk, Readable.from([copy]), key, { binding, signal })).catch(
        () => undefined,
      );
      if (opened?.equals(of.scan)) return true;
    }
    return false;
  }

  async #allKeys(): Promise<{ id: string; key: Buffer }[]> {
    const rows = await this.ask<WrappedKey>(
      'select object_key_id, key_id, wrapped_key from docket.object_keys',
    );
    const keyring = await openKeyring(this.config);
    try {
      const unwrapped = rows.map(async (row) => ({
        id: row.object_key_id,
        key: await keyring.unwrap({ id: row.object_key_id, keyId: row.key_id, wrapped: row.wrapped_key }),
      }));
      const file = (await readKeyFile(this.config.keyFile))!.keys.map(({ id, key }) => ({ id, key }));
      const objects = await Promise.all(unwrapped);
      // Each key under each name: a name alone is no secret.
      const names = [...objects, ...file].map(({ id }) => id);
      return [...objects, ...file].flatMap(({ key }) => names.map((id) => ({ id, key })));
    } finally {
      keyring.close();
    }
  }

  /** The key of a document's object, in the clear. */
  async objectKey({ object }: Delivered): Promise<Buffer> {
    const [row] = await this.ask<WrappedKey>(
      'select object_key_id, key_id, wrapped_key from docket.object_keys where locator = $1',
      { values: [object.locator] },
    );
    const keyring = await openKeyring(this.config);
    try {
      return await keyring.unwrap({ id: row!.object_key_id, keyId: row!.key_id, wrapped: row!.wrapped_key });
    } finally {
      keyring.close();
    }
  }

  /** Asks by SQL, as the superuser unless another login is named. */
  async ask<Row extends pg.QueryResultRow>(
    query: string,
    { as = 'postgres', values = [] }: { as?: string; values?: unknown[] } = {},
  ): Promise<Row[]> {
    const pool = this.#pool(as);
    try {
      return (await pool.query<Row>(query, values.length > 0 ? values : undefined)).rows;
    } finally {
      await pool.end();
    }
  }

  #pool(login: string): pg.Pool {
    const server = readPostmasterFile(join(this.home.folder, 'data/postgres'));
    assert.ok(server, 'the server runs');
    return new pg.Pool({ connectionString: socketUrl(server, login, 'docket'), max: 1 });
  }
}
