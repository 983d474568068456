import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Config } from '../../config.ts';
import { addSource } from '../../db/commands.ts';
import { readPostmasterFile } from '../../db/cluster/postmaster.ts';
import { migrate } from '../../db/migrate.ts';
import { connectionUrl, createPool, withSetting } from '../../db/pools.ts';
import type { Database } from '../../db/rows.ts';
import type { Log } from '../../log.ts';
import { beginStore } from '../begin-store.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import { ensureSourceLogin } from '../source-login.ts';
import { typedQueries } from '../typed-queries.ts';
import type { OwnUrls } from './own-config.ts';
import { ownConfig, urlOfDatabase } from './own-config.ts';
import { withOwnDatabase } from './own-database.ts';

/** The source for which a load test delivers. */
export const LOAD_SOURCE = 'loadtest';
/** So many connections deliver, or ask what became of the documents. */
const CONNECTIONS = 2;

/** Where a load test works: a database, a store and keys of its own. */
export interface LoadSite {
  /** For a worker, and whatever else works there. */
  readonly config: Config;
  readonly operator: pg.Pool;
  /** May deliver for LOAD_SOURCE. */
  readonly sender: pg.Pool;
  /** Reads everything. */
  readonly reader: Kysely<Database>;
  /** The embedded server, where it is one. */
  readonly postmaster: number | undefined;
}

/** Makes a database beside the one that is open, migrates it, has it used, and removes it. Throws what that throws. */
export async function withLoadSite<T>(
  beside: DatabaseAccess,
  { folder, log }: { folder: string; log: Log },
  use: (site: LoadSite) => Promise<T>,
): Promise<T> {
  const own = join(folder, 'own');
  await mkdir(own, { mode: 0o700 });
  return withOwnDatabase(beside.owner(), log, async (name) => {
    const config = ownConfig(beside.config, own, urlsOf(beside, name));
    await migrate({ connectionString: connectionUrl(config, 'owner'), log });
    return withDatabase(config, { log }, async (database) => {
      await beginStore(database);
      const { password } = await ensureSourceLogin(typedQueries(database.owner()), name, {
        group: 'docket_app',
        needsPassword: beside.cluster === undefined,
        renewPassword: true,
      });
      const operator = database.as('docket_operator');
      await addSource(operator, { sourceId: LOAD_SOURCE, login: name, note: 'made by docket loadtest' });
      const ownerUrl = connectionUrl(config, 'owner');
      const senderUrl =
        beside.cluster?.url(name, name) ?? urlOfDatabase(ownerUrl, name, { name, password: password ?? '' });
      const common = { name: 'loadtest', log, max: CONNECTIONS };
      const sender = createPool({ ...common, url: senderUrl });
      const reader = createPool({ ...common, url: withSetting(ownerUrl, 'role', 'docket_owner') });
      try {
        return await use({
          config: database.config,
          operator,
          sender,
          reader: typedQueries(reader),
          postmaster: beside.cluster && readPostmasterFile(beside.cluster.dataDir)?.pid,
        });
      } finally {
        await Promise.all([sender.end(), reader.end()]);
      }
    });
  });
}

function urlsOf({ cluster, config }: DatabaseAccess, name: string): OwnUrls {
  if (cluster) {
    return {
      databaseUrl: cluster.url('postgres', name),
      workerUrl: cluster.url('docket_worker', name),
      queueUrl: cluster.url('docket_queue', name),
    };
  }
  const { workerUrl, queueUrl } = config;
  return {
    databaseUrl: urlOfDatabase(connectionUrl(config, 'owner'), name),
    workerUrl: workerUrl === undefined ? undefined : urlOfDatabase(workerUrl, name),
    queueUrl: queueUrl === undefined ? undefined : urlOfDatabase(queueUrl, name),
  };
}
