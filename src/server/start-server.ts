import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postgraphile } from 'postgraphile';
import type { Config } from '../config.ts';
import { connectionUrl, createPool } from '../db/pools.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createBearerCheck } from './bearer.ts';
import { GRAPHQL_PATH, GraphqlRoute } from './graphql-route.ts';
import type { TokenKeys } from './identity.ts';
import { createPreset } from './preset.ts';

/** A running server. */
export interface RunningServer {
  /** Where it listens: `http://HOST:PORT`. */
  readonly url: string;
  /** Takes no more requests, lets those under way finish, and closes everything. Never rejects. */
  stop(): Promise<void>;
}

/** Serves GraphQL on the gateway's login to whoever bears a token signed by one of the keys. */
export async function startServer(options: {
  config: Config;
  log: Log;
  tokenKeys: TokenKeys;
}): Promise<RunningServer> {
  const { config, log, tokenKeys } = options;
  const pool = createPool({
    url: connectionUrl(config, 'gateway'),
    name: 'graphql',
    max: config.graphqlConnections,
    log,
    statementTimeoutMs: 5_000,
  });
  const bearers = createBearerCheck(tokenKeys, {
    audience: config.tokenAudience,
    issuer: config.tokenIssuer,
  });
  const api = postgraphile(createPreset({ pool }));
  const graphql = api.createServ((settings) => new GraphqlRoute(settings));
  await graphql.ready();
  await api.getSchema();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/healthz') return void response.writeHead(200).end('ok');
    if (request.url !== GRAPHQL_PATH) return void response.writeHead(404).end();
    const identity = await bearers.identify(request.headers.authorization);
    await graphql.answer(request, response, identity);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const code = error instanceof DocketError ? error.code : 'INTERNAL_ERROR';
      response.writeHead(code === 'TOKEN_INVALID' ? 401 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errors: [{ message: code, extensions: { code } }] }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.httpPort, config.httpHost, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.httpHost}:${port}`,
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await api.release();
      await pool.end();
    },
  };
}
