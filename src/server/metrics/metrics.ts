import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';
import { within } from '../../db/within.ts';
import { DocketError } from '../../errors.ts';
import type { Identity } from '../identity.ts';
import { exposition, wantedFormat } from './exposition.ts';
import { createReadings } from './readings.ts';

/** Where figures for monitoring are had. */
export const METRICS_PATH = '/metrics';

/** Answers operators and auditors with figures. Rejects with what `refuse` is to answer. */
export interface Metrics {
  answer(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void>;
}

/** Less than the ten seconds that Prometheus waits. */
const ANSWER_WITHIN_MS = 8_000;

/** @param pool One of whose connections is in use while figures are read, and never two. */
export function createMetrics(pool: pg.Pool): Metrics {
  const readings = createReadings(pool);
  return {
    async answer(request, response, identity) {
      refuseOthers(identity);
      if (request.method !== 'GET') {
        throw new DocketError('METHOD_REFUSED', 'metrics are had by GET', { data: { allow: 'GET' } });
      }
      const samples = await within(ANSWER_WITHIN_MS, readings());
      const format = wantedFormat(request.headers.accept);
      const body = await exposition(samples, format);
      response.writeHead(200, { 'content-type': format });
      response.end(body);
    },
  };
}

/** The figures are of all sources, and name some. */
function refuseOthers({ role, sources }: Identity): void {
  if ((role === 'operator' || role === 'auditor') && sources.includes('*')) return;
  throw new DocketError(
    'PERMISSION_DENIED',
    'metrics are for operators and auditors whose token is for all sources (*)',
  );
}
