import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { createPool } from '../db/pools.ts';
import { streamRows } from '../db/stream-rows.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { settingsOf } from './claims.ts';
import { EXPORT_COLUMNS, exportQuery } from './export-query.ts';
import type { Identity } from './identity.ts';
import { createTally } from './limits/tally.ts';

export const EXPORT_PATH = '/export/documents.csv';

/** Lists of documents as CSV, for people with a spreadsheet. */
export interface Exports {
  /** Answers one GET of EXPORT_PATH, with or without parameters, by somebody who is known. Rejects with what `refuse` is to answer. */
  answer(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void>;
  /** Breaks off what is under way and closes the connections. */
  stop(): Promise<void>;
}

const AT_ONCE = 4;
const AT_ONCE_FOR_ONE = 2;
const LONGEST_MS = 10 * 60_000;
/** How long the first rows, or the next ones, may take. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** How long a reader may pause: an open transaction holds back the cleaning of tables. */
const LONGEST_PAUSE = '60s';

/** Makes lists on connections of their own: a slow reader does not keep queries waiting. */
export function createExports({ url, log }: { url: string; log: Log }): Exports {
  const pool = createPool({
    url,
    name: 'export',
    max: AT_ONCE,
    log,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const stopping = new AbortController();
  const running = createTally();

  async function exportAs(
    identity: Identity,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, stopping.signal, AbortSignal.timeout(LONGEST_MS)]);
    const query = exportQuery(new URL(request.url ?? '', 'http://localhost').searchParams);
    const settings = { ...settingsOf(identity), idle_in_transaction_session_timeout: LONGEST_PAUSE };
    await streamRows(pool, { ...query, settings, signal }, async (rows) => {
      // A query that fails does so before the first row, when it can still be answered.
      const first = await rows.next();
      response.writeHead(200, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="documents.csv"',
        'cache-control': 'no-store',
      });
      await pipeline(() => from(first, rows), csv(), response, { signal });
    });
  }

  return {
    async answer(request, response, identity) {
      const { subject } = identity;
      const isBusy = running.of(subject) >= AT_ONCE_FOR_ONE || running.total() >= AT_ONCE;
      const done = running.add(subject);
      try {
        if (request.method !== 'GET') {
          throw new DocketError('METHOD_REFUSED', 'a list is had by GET', { data: { allow: 'GET' } });
        }
        if (isBusy) {
          throw new DocketError('EXPORT_BUSY', 'other lists are under way; ask again when one has ended', {
            data: { retryAfterSeconds: 5 },
          });
        }
        await exportAs(identity, request, response);
      } finally {
        done();
      }
    },
    async stop() {
      stopping.abort();
      await pool.end();
    },
  };
}

/** Formulas are made plain text: a spreadsheet runs them, and senders state kinds and names. */
function csv() {
  return stringify({
    columns: EXPORT_COLUMNS,
    header: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: String },
  });
}

async function* from<Row>(first: IteratorResult<Row>, rest: AsyncIterator<Row>): AsyncGenerator<Row> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
}
