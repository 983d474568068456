import pg from 'pg';
import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';

/**
 * Who a connection acts for; each has its own login or, without one, is assumed by the installing login. Only the gateway's
 * is never assumed: the database believes claims from that login alone.
 */
export type Role = 'owner' | 'worker' | 'queue' | 'gateway';

export interface ConnectionOptions {
  /** Where to connect, as whom: see `connectionUrl`. */
  url: string;
  /** What pg_stat_activity shows, after `docket-`. */
  name: string;
  log: Log;
  /** The longest a statement may take, in milliseconds; 0 means without limit. Default 30,000. */
  statementTimeoutMs?: number;
  /** Settings of the session, by their Postgres names. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * For connections that call the same commands all day: to plan them again and again takes longer than to run them. A plan that
 * is made while tables are empty looks rows up by their keys like any later one, so it stays good as they grow; and is not compiled.
 */
export const PLANNED_ONCE: Readonly<Record<string, string>> = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
};

const CONNECT_TIMEOUT_MS = 5_000;
const KEEPALIVE_AFTER_MS = 5_000;

/**
 * How values come back, on Docket's connections alone: int8, timestamptz and interval as the text Postgres sent, so that neither
 * digits nor microseconds are lost; bytea as Buffer and json parsed, as pg does by itself.
 */
const valueTypes = new pg.TypeOverrides();
valueTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => text);
valueTypes.setTypeParser(pg.types.builtins.INT8, (text) => text);
valueTypes.setTypeParser(pg.types.builtins.INTERVAL, (text) => text);

/**
 * The connection string of a role: the one configured for it, else the installing login's with `role` set for the
 * session. Throws CONFIG_INVALID when the configuration names no database at all.
 */
export function connectionUrl(
  config: Pick<Config, 'databaseUrl' | 'workerUrl' | 'queueUrl'> & Partial<Pick<Config, 'gatewayUrl'>>,
  role: Role,
): string {
  const own = {
    owner: undefined,
    worker: config.workerUrl,
    queue: config.queueUrl,
    gateway: config.gatewayUrl,
  }[role];
  if (own !== undefined) return own;
  if (role === 'gateway') {
    throw new DocketError('CONFIG_INVALID', 'DOCKET_GATEWAY_URL is not set', {
      hint: 'set it to the login docket_gateway of the same database: claims are believed from no other',
    });
  }
  if (config.databaseUrl === undefined) {
    throw new DocketError('CONFIG_INVALID', 'no database is configured', {
      hint: 'set DOCKET_DATABASE_URL, or start the embedded Postgres by "docket up"',
    });
  }
  return role === 'owner' ? config.databaseUrl : withSetting(config.databaseUrl, 'role', `docket_${role}`);
}

/**
 * A pool of connections. Errors of idle and of borrowed connections are logged and never thrown at the process: the next
 * query on such a connection fails, and pg replaces it.
 */
export function createPool(options: ConnectionOptions & { max: number }): pg.Pool {
  const pool = new pg.Pool(poolSettings(options));
  survive(pool, options);
  return pool;
}

/** A single connection, not yet connected. Its owner listens for 'error' and 'end'. */
export function createClient(options: ConnectionOptions): pg.Client {
  return new pg.Client(clientSettings(options));
}

/** The settings of `createPool`, for a pool of another class. Whoever uses them calls `survive` too. */
export function poolSettings(options: ConnectionOptions & { max: number }): pg.PoolConfig {
  return { ...clientSettings(options), max: options.max, idleTimeoutMillis: 30_000 };
}

/** Keeps errors of a pool's connections from ending the process. */
export function survive(pool: pg.Pool, { name, log }: Pick<ConnectionOptions, 'name' | 'log'>): void {
  const note = (err: Error) => log.debug({ err, pool: name }, 'a database connection was lost');
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', note));
}

function clientSettings(options: ConnectionOptions): pg.ClientConfig {
  const settings = Object.entries({ TimeZone: 'UTC', ...options.settings });
  return {
    connectionString: settings.reduce((url, [name, value]) => withSetting(url, name, value), options.url),
    application_name: `docket-${options.name}`,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    types: valueTypes,
  };
}

/** Adds a session setting to a connection string, beside those it has: pg lets the string win over an object. */
export function withSetting(url: string, name: string, value: string): string {
  const setting = encodeURIComponent(`-c ${name}=${value}`);
  const present = /([?&]options=)([^&#]*)/;
  if (present.test(url)) return url.replace(present, `$1$2%20${setting}`);
  return `${url}${url.includes('?') ? '&' : '?'}options=${setting}`;
}
