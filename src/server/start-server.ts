import './production.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { postgraphile } from 'postgraphile';
import type { Config } from '../config.ts';
import { startListener } from '../db/listen.ts';
import { connectionUrl, createPool } from '../db/pools.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createBearerCheck } from './bearer.ts';
import { createExports } from './export.ts';
import { createHealth } from './health.ts';
import { GraphqlRoute } from './http/graphql-route.ts';
import { createHttpServer } from './http/http-server.ts';
import { listen } from './http/listen.ts';
import { createOrigins } from './http/origins.ts';
import { createRouter } from './http/router.ts';
import { createWebsockets } from './http/websockets.ts';
import type { TokenKeys } from './identity.ts';
import { createRequestRate } from './limits/request-rate.ts';
import { createTurns } from './limits/turns.ts';
import { createErrorMask } from './masked-error.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { Vault } from './objects/objects.ts';
import { openObjects } from './objects/open-objects.ts';
import { createReceipts } from './receipts/receipts.ts';
import { serverPreset } from './preset.ts';
import { createPulse } from './subscriptions/pulse.ts';
import { createWatches } from './subscriptions/watches.ts';

/** A running server. */
export interface RunningServer {
  /** Where it listens: `http://HOST:PORT`. */
  readonly url: string;
  /**
   * Takes no more requests, lets those under way finish for the configured grace, and closes everything. Never rejects;
   * further calls wait for the first.
   */
  stop(): Promise<void>;
}

/** A statement that takes longer is ended by the database; so is a transaction in which nothing happens. */
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_TRANSACTION_TIMEOUT = '10s';
/** Of who watches the server, on connections of their own, so that they are answered when all others are taken. */
const WATCHING = { connections: 2, statementTimeoutMs: 4_000 };
const PULSE_MS = 1_000;
/** The channel of docket.announce(). */
const CHANNEL = 'docket_changes';

/** Claims are believed from one login, and no other may become the roles of people. Throws CONFIG_INVALID. */
async function requireGateway(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ login: string }>('select session_user as login');
  if (rows[0]?.login === 'docket_gateway') return;
  throw new DocketError('CONFIG_INVALID', `DOCKET_GATEWAY_URL names the login "${String(rows[0]?.login)}"`, {
    hint: 'name docket_gateway, as claims are believed from no other login',
  });
}

/**
 * Serves GraphQL, lists and, where a vault is given, the taking of objects, on the gateway's login to whoever bears a token
 * signed by one of the keys. Rejects, with nothing left open, for a configuration or a database that it cannot work with.
 */
export async function startServer(options: {
  config: Config;
  log: Log;
  tokenKeys: TokenKeys;
  vault?: Vault | undefined;
}): Promise<RunningServer> {
  const { config, log, tokenKeys, vault } = options;
  const url = connectionUrl(config, 'gateway');
  const undo: (() => unknown)[] = [];
  const stopping = new AbortController();
  try {
    const pool = createPool({
      url,
      name: 'graphql',
      max: config.graphqlConnections,
      log,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      settings: { idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT },
    });
    undo.push(() => pool.end());
    await requireGateway(pool);
    const watching = createPool({
      url,
      name: 'watching',
      max: WATCHING.connections,
      log,
      statementTimeoutMs: WATCHING.statementTimeoutMs,
      settings: { idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT },
    });
    undo.push(() => watching.end());
    const pulse = createPulse(PULSE_MS);
    const turns = createTurns(Math.ceil(config.graphqlConnections / 2));
    const watches = createWatches({ pool, turns, pulse, log });
    const api = postgraphile(
      serverPreset({
        pool,
        turns,
        watches,
        introspection: config.graphqlIntrospection,
        ide: config.graphqlIde,
        log,
      }),
    );
    undo.push(() => api.release());
    await api.getSchema();
    const graphql = api.createServ((settings) => new GraphqlRoute(settings));
    await graphql.ready();

    const listener = startListener({
      url,
      name: 'changes',
      log,
      channel: CHANNEL,
      onNotification: () => pulse.beat(),
    });
    undo.push(() => listener.stop());
    const exports = createExports({ url, log });
    undo.push(() => exports.stop());
    const objects = await openObjects({ url, config, vault, log });
    undo.push(() => objects.stop());
    const bearers = createBearerCheck(tokenKeys, {
      audience: config.tokenAudience,
      issuer: config.tokenIssuer,
    });
    const rate = createRequestRate(config.requestsPerMinute);
    const websockets = createWebsockets({ graphql, bearers, rate, maskError: createErrorMask(log), log });
    const router = createRouter({
      graphql,
      websockets,
      exports,
      objects,
      receipts: createReceipts(pool),
      bearers,
      rate,
      health: createHealth(watching, () => stopping.signal.aborted),
      metrics: createMetrics(watching),
      origins: createOrigins(config.corsOrigins),
      ide: config.graphqlIde,
      log,
    });
    const server = createHttpServer(router);
    const address = await listen(server, { host: config.httpHost, port: config.httpPort });
    undo.push(async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      pulse.stop();
      await Promise.race([
        Promise.all([closed, websockets.stop()]),
        delay(config.stopGraceMs, undefined, { ref: false }),
      ]);
      server.closeAllConnections();
      await closed;
    });
    log.info({ url: address }, 'GraphQL is served');

    let stopped: Promise<void> | undefined;
    return {
      url: address,
      stop() {
        stopping.abort();
        return (stopped ??= undoAll(undo, log));
      },
    };
  } catch (error) {
    await undoAll(undo, log);
    throw error;
  }
}

/** Newest first, each even if another failed. */
async function undoAll(steps: (() => unknown)[], log: Log): Promise<void> {
  for (const step of steps.toReversed()) {
    try {
      await step();
    } catch (err) {
      log.warn({ err }, 'the server could not give back all it had');
    }
  }
}
