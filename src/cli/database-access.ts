import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Cluster } from '../db/cluster/cluster.ts';
import { openCluster } from '../db/cluster/cluster.ts';
import { connectionUrl, createPool } from '../db/pools.ts';
import type { Database } from '../db/rows.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { AssumedRole } from './assumed-role.ts';
import { assumeRole } from './assumed-role.ts';
import { typedQueries } from './typed-queries.ts';

/** The database a verb works on, embedded or not. */
export interface DatabaseAccess {
  /** As given, with the connections of an embedded database filled in. */
  readonly config: Config;
  /** The embedded server; undefined where DOCKET_DATABASE_URL names another. */
  readonly cluster: Cluster | undefined;
  /** Connections of the installing login. */
  readonly owner: () => pg.Pool;
  /** Connections that may do what members of the role may. */
  readonly as: (role: AssumedRole) => pg.Pool;
  /** Connections of a login, without a password: of an embedded server only. */
  readonly login: (name: string) => pg.Pool;
  /** For reading: everything an auditor sees. */
  readonly reader: Kysely<Database>;
  /** Closes connections, and stops an embedded server that nobody else uses. */
  readonly close: () => Promise<void>;
}

const CONNECTIONS = 3;

/**
 * Opens the database of a configuration. An embedded server is started if it does not run; its folder is made only if
 * `create` says so. Throws CLUSTER_NOT_FOUND where there is none, what openCluster throws, and CONFIG_INVALID where the
 * configuration has logins for a worker alone.
 */
async function openDatabase(
  config: Config,
  options: { log: Log; create?: boolean; statementTimeoutMs?: number },
): Promise<DatabaseAccess> {
  if (isForWorkerAlone(config)) {
    throw new DocketError(
      'CONFIG_INVALID',
      'DOCKET_DATABASE_URL is not set, but the logins of a worker are',
      {
        hint: 'set DOCKET_DATABASE_URL; or, for the embedded Postgres, unset DOCKET_WORKER_URL and DOCKET_QUEUE_URL',
      },
    );
  }
  const cluster = config.databaseUrl === undefined ? await openEmbedded(config, options) : undefined;
  const connected: Config = cluster
    ? {
        ...config,
        databaseUrl: cluster.url('postgres'),
        workerUrl: cluster.url('docket_worker'),
        queueUrl: cluster.url('docket_queue'),
        gatewayUrl: cluster.url('docket_gateway'),
      }
    : config;
  const pools = new Map<string, pg.Pool>();
  function pool(url: string): pg.Pool {
    const known = pools.get(url) ?? createPool({ ...options, url, name: 'cli', max: CONNECTIONS });
    pools.set(url, known);
    return known;
  }
  const owner = () => pool(connectionUrl(connected, 'owner'));
  const as = (role: AssumedRole) => pool(assumeRole(connectionUrl(connected, 'owner'), role));
  return {
    config: connected,
    cluster,
    owner,
    as,
    login(name) {
      if (!cluster) throw new DocketError('INTERNAL_ERROR', 'logins of other servers need their passwords');
      return pool(cluster.url(name));
    },
    get reader() {
      return typedQueries(as('docket_auditor'));
    },
    async close() {
      await Promise.all([...pools.values()].map((one) => one.end()));
      await cluster?.stop();
    },
  };
}

/** True where the configuration names a database by the logins of a worker only. */
export function isForWorkerAlone({ databaseUrl, workerUrl, queueUrl }: Config): boolean {
  return databaseUrl === undefined && (workerUrl !== undefined || queueUrl !== undefined);
}

/** Opens the database, has it used, and closes it whatever happens. */
export async function withDatabase<T>(
  config: Config,
  options: { log: Log; create?: boolean; statementTimeoutMs?: number },
  use: (database: DatabaseAccess) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, options);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

function openEmbedded(
  config: Config,
  { log, create = false }: { log: Log; create?: boolean },
): Promise<Cluster> {
  const dataDir = join(config.dataDir, 'postgres');
  if (!create && !existsSync(dataDir) && !existsSync(`${dataDir}.location`)) {
    throw new DocketError('CLUSTER_NOT_FOUND', `there is no database in ${config.dataDir}`, {
      hint: 'make one by "docket up" or "docket migrate", or set DOCKET_DATA_DIR or DOCKET_DATABASE_URL',
    });
  }
  return openCluster({ dataDir, port: config.pgPort, log });
}
