import assert from 'node:assert/strict';
import type { Config } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import type { Vault } from '../../src/server/objects/objects.ts';
import type { RunningServer } from '../../src/server/start-server.ts';
import { startServer } from '../../src/server/start-server.ts';
import { keysOf } from '../../src/server/token-keys.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Bearer, Issuer } from './bearer-tokens.ts';
import { createIssuer } from './bearer-tokens.ts';

/** What the server answered to a query. */
export interface GraphqlAnswer {
  readonly status: number;
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message: string; path?: unknown[]; extensions?: { code?: string } }[];
  /** As it was received. */
  readonly body: string;
}

/** A server over a test database, on a port of its own, and tokens that it believes. */
export interface ServerFixture {
  readonly url: string;
  readonly issuer: Issuer;
  readonly stop: RunningServer['stop'];
  /** What the server wrote to its log, one JSON object a line. */
  readonly log: string[];
  /** Asks as a bearer, or with the token given. */
  ask(bearer: Bearer | string, query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
  /** Asks, and returns the data; fails where there are errors. */
  data<Data>(bearer: Bearer, query: string, variables?: Record<string, unknown>): Promise<Data>;
  /** Sends what is to be JSON to where GraphQL is asked, as a bearer or with the token given. */
  post(bearer: Bearer | string, body: string, headers?: Record<string, string>): Promise<Response>;
  /** Any other request as a bearer. */
  get(bearer: Bearer, path: string): Promise<Response>;
}

/** Starts a server over a database; it stops before the database is dropped. It takes objects if there is a vault for them. */
export async function serve(
  database: TestDatabase,
  settings: Partial<Config> = {},
  vault?: Vault,
): Promise<ServerFixture> {
  const issuer = await createIssuer();
  const lines: string[] = [];
  const server = await startServer({
    config: {
      ...loadConfig({ DOCKET_HTTP_PORT: '0' }),
      gatewayUrl: database.url('docket_gateway'),
      ...settings,
    },
    log: createLog({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } }),
    tokenKeys: keysOf([issuer.publicJwk]),
    vault,
  });
  database.beforeDrop(() => server.stop());

  async function post(
    bearer: Bearer | string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const token = typeof bearer === 'string' ? bearer : await issuer.token(bearer);
    return fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body,
    });
  }

  async function ask(
    bearer: Bearer | string,
    query: string,
    variables: Record<string, unknown> = {},
  ): Promise<GraphqlAnswer> {
    const response = await post(bearer, JSON.stringify({ query, variables }));
    const body = await response.text();
    const parsed = body.startsWith('{') ? (JSON.parse(body) as object) : {};
    return { status: response.status, ...parsed, body };
  }

  return {
    url: server.url,
    stop: () => server.stop(),
    issuer,
    log: lines,
    ask,
    post,
    async data<Data>(bearer: Bearer, query: string, variables?: Record<string, unknown>) {
      const answer = await ask(bearer, query, variables);
      assert.equal(answer.errors, undefined, `${query}\n${answer.body}`);
      assert.equal(answer.status, 200, answer.body);
      return answer.data as Data;
    },
    async get(bearer, path) {
      return fetch(`${server.url}${path}`, {
        headers: { authorization: `Bearer ${await issuer.token(bearer)}` },
      });
    },
  };
}
