import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';
import { z } from 'zod';
import { receiptsOf } from '../../db/commands.ts';
import { readAs } from '../../db/read-as.ts';
import { DocketError } from '../../errors.ts';
import { settingsOf } from '../claims.ts';
import type { Identity } from '../identity.ts';

/** Where senders fetch what they were told. */
export const RECEIPTS_PATH = '/receipts';
/** Where anybody has the public keys that verify it. */
export const RECEIPT_KEYS_PATH = '/receipt-keys';

/** Answers senders and staff with receipts, and everybody with the keys. Rejects with what `refuse` is to answer. */
export interface Receipts {
  answer(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void>;
  answerKeys(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const asked = z.union([
  z.strictObject({ delivery: z.string().regex(/^\d{1,18}$/) }),
  z.strictObject({ document: z.guid() }),
]);

/** However often they are asked for, the database is asked for the keys once in this time. */
const REMEMBER_MS = 1_000;

export function createReceipts(pool: pg.Pool): Receipts {
  let known: { atMs: number; keys: Promise<unknown[]> } | undefined;

  /** All keys by which receipts were ever signed, the newest first. */
  function keys(): Promise<unknown[]> {
    const atMs = performance.now();
    if (known === undefined || atMs - known.atMs > REMEMBER_MS) {
      known = { atMs, keys: readKeys(pool) };
    }
    return known.keys;
  }

  return {
    async answer(request, response, identity) {
      if (identity.role === 'analyst') {
        throw new DocketError(
          'PERMISSION_DENIED',
          'receipts are for senders and staff; documents are asked for at /graphql',
        );
      }
      refuseOtherThanGet(request);
      const wanted = readParameters(request);
      const rows = await readAs(pool, settingsOf(identity), (reader) =>
        receiptsOf(reader, {
          deliveryId: 'delivery' in wanted ? wanted.delivery : null,
          jobId: 'document' in wanted ? wanted.document : null,
        }),
      );
      const receipts = rows.map(
        ({ delivery_id: delivery, source_id: source, outcome, code, issued_at, jws }) => ({
          delivery,
          source,
          outcome,
          code,
          issued_at: new Date(issued_at).toISOString(),
          receipt: jws,
        }),
      );
      send(response, { receipts }, { 'cache-control': 'no-store' });
    },
    async answerKeys(request, response) {
      refuseOtherThanGet(request);
      send(response, { keys: await keys() }, { 'cache-control': 'public, max-age=60' });
    },
  };
}

function readParameters(request: IncomingMessage): z.infer<typeof asked> {
  const parameters = new URL(request.url ?? '', 'http://localhost').searchParams;
  const parsed = asked.safeParse(Object.fromEntries(parameters));
  if (parsed.success && parameters.size === 1) return parsed.data;
  throw new DocketError(
    'RECEIPT_PARAMETER',
    `ask ${RECEIPTS_PATH}?delivery=NUMBER or ${RECEIPTS_PATH}?document=ID`,
  );
}

async function readKeys(pool: pg.Pool): Promise<unknown[]> {
  const { rows } = await readAs(pool, { role: 'docket_app' }, (reader) =>
    reader.query<{ public_jwk: string }>('select public_jwk from docket.receipt_keys order by added_at desc'),
  );
  return rows.map((row): unknown => JSON.parse(row.public_jwk));
}

function refuseOtherThanGet({ method }: IncomingMessage): void {
  if (method !== 'GET')
    throw new DocketError('METHOD_REFUSED', 'receipts are had by GET', { data: { allow: 'GET' } });
}

function send(response: ServerResponse, answer: unknown, headers: Record<string, string>): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(answer));
}
