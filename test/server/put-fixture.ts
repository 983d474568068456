import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from '../support/database.ts';
import type { Bearer } from './bearer-tokens.ts';
import type { SealedVault } from './sealed-vault.ts';
import { makeVault } from './sealed-vault.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';

export const MIB = 1024 * 1024;
export const SENDER: Bearer = { role: 'sender', sources: ['carrier-a'], subject: 'scanner 7' };
/** What the server of the fixture takes at most. */
export const LARGEST = 4 * MIB;

/** What was answered to a put. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown> & { errors?: { message: string; extensions: { code: string } }[] };
}

/** A server that takes objects, with the sources carrier-a, carrier-b and off, of which the last is disabled. */
export interface PutFixture {
  readonly server: ServerFixture;
  readonly vault: SealedVault;
  /** Begins a put that is not ended yet, so that a test can send as it likes. */
  begin(
    bearer: Bearer | undefined,
    headers?: Record<string, string | number>,
    path?: string,
    method?: string,
  ): Promise<ClientRequest>;
  put(
    bytes: Uint8Array,
    headers?: Record<string, string | number>,
    as?: { bearer?: Bearer; path?: string },
  ): Promise<Answered>;
  /** How many objects and drafts, keys, and files set aside by the server there are. */
  kept(): Promise<[objects: number, keys: number, spooled: number]>;
}

export async function openPuts(database: TestDatabase): Promise<PutFixture> {
  await database
    .pool()
    .query(`select docket.add_source(name) from unnest(array['carrier-a', 'carrier-b', 'off']) as name`);
  await database.pool().query(`select docket.set_source_enabled('off', false)`);
  const vault = await makeVault();
  const server = await serve(database, { tempDir: vault.tempDir, objectMaxBytes: LARGEST }, vault);

  async function begin(
    bearer: Bearer | undefined,
    headers: Record<string, string | number> = {},
    path = '/objects?source=carrier-a',
    method = 'PUT',
  ): Promise<ClientRequest> {
    const authorization = bearer && `Bearer ${await server.issuer.token(bearer)}`;
    return httpRequest(`${server.url}${path}`, {
      method,
      agent: false,
      headers: { ...(authorization && { authorization }), ...headers },
    }).on('error', () => undefined);
  }

  return {
    server,
    vault,
    begin,
    async put(bytes, headers = {}, { bearer = SENDER, path } = {}) {
      const request = await begin(bearer, { 'content-length': bytes.length, ...headers }, path);
      const answered = answerOf(request);
      request.end(bytes);
      return answered;
    },
    async kept() {
      const { rows } = await database
        .pool()
        .query<{ keys: number }>('select count(*)::int as keys from docket.object_keys');
      return [(await vault.objects()).length, rows[0]?.keys ?? 0, (await vault.spooled()).length];
    },
  };
}

export async function answerOf(request: ClientRequest): Promise<Answered> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = JSON.parse(await text(response)) as Answered['body'];
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

export const codeOf = ({ status, body }: Answered) => [status, body.errors?.[0]?.extensions.code];

/** As RFC 9530 has it, computed here. */
export const digestOf = (bytes: Uint8Array): string =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
