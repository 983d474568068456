import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { BearerCheck } from '../bearer.ts';
import type { Exports } from '../export.ts';
import { EXPORT_PATH } from '../export.ts';
import type { Health } from '../health.ts';
import { ALIVE_PATH, READY_PATH } from '../health.ts';
import type { Identity } from '../identity.ts';
import type { RequestRate } from '../limits/request-rate.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { METRICS_PATH } from '../metrics/metrics.ts';
import type { Objects } from '../objects/objects.ts';
import { OBJECTS_PATH } from '../objects/objects-path.ts';
import type { Receipts } from '../receipts/receipts.ts';
import { RECEIPT_KEYS_PATH, RECEIPTS_PATH } from '../receipts/receipts.ts';
import { limitArrival } from './arrival.ts';
import type { GraphqlRoute } from './graphql-route.ts';
import { GRAPHQL_PATH, isIdePath } from './graphql-route.ts';
import type { Origins } from './origins.ts';
import { refuse } from './refusal.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { refuseUpgrade } from './socket-ends.ts';
import type { Websockets } from './websockets.ts';

/** What to do with each request. */
export interface Router {
  answer(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** How long a question may take to arrive, all of it. Objects have a pace of their own. */
const QUESTION_WITHIN_MS = 20_000;
const PATHS: ReadonlySet<string> = new Set([
  GRAPHQL_PATH,
  EXPORT_PATH,
  OBJECTS_PATH,
  RECEIPTS_PATH,
  RECEIPT_KEYS_PATH,
  METRICS_PATH,
]);

/** Nothing but health, the keys of receipts, and the query page where it is wanted, is reached without a valid token. */
export function createRouter(options: {
  graphql: GraphqlRoute;
  websockets: Websockets;
  exports: Exports;
  objects: Objects;
  receipts: Receipts;
  bearers: BearerCheck;
  rate: RequestRate;
  health: Health;
  metrics: Metrics;
  origins: Origins;
  ide: boolean;
  log: Log;
}): Router {
  const {
    graphql,
    websockets,
    exports,
    objects,
    receipts,
    bearers,
    rate,
    health,
    metrics,
    origins,
    ide,
    log,
  } = options;
  const setSecurityHeaders = createSecurityHeaders();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(request, response);
    const path = pathOf(request);
    if (path !== OBJECTS_PATH) {
      const late = (error: DocketError) => refuse(response, error, log);
      limitArrival(request, response, { withinMs: QUESTION_WITHIN_MS, late });
    }
    if (path === ALIVE_PATH) {
      health.answerAlive(response);
      return undefined;
    }
    if (path === READY_PATH) return health.answerReady(response);
    if (ide && isIdePath(path)) return graphql.answerIde(request, response, path);
    if (!PATHS.has(path)) throw new DocketError('NOT_FOUND', 'there is nothing at this path');
    if (origins.answer(request, response)) return undefined;
    if (path === RECEIPT_KEYS_PATH) return receipts.answerKeys(request, response);
    const identity = await identify(request);
    if (path === RECEIPTS_PATH) return receipts.answer(request, response, identity);
    if (path === OBJECTS_PATH) return objects.answer(request, response, identity);
    refuseSender(identity);
    if (path === METRICS_PATH) return metrics.answer(request, response, identity);
    if (request.headers.expect !== undefined) response.writeContinue();
    if (path === EXPORT_PATH) return exports.answer(request, response, identity);
    return graphql.answer(request, response, identity);
  }

  async function identify(request: IncomingMessage): Promise<Identity> {
    const identity = await bearers.identify(request.headers.authorization);
    await rate.count(identity.subject);
    return identity;
  }

  return {
    answer: (request, response) =>
      void answer(request, response).catch((error: unknown) => refuse(response, error, log)),
    upgrade(request, socket, head) {
      try {
        if (pathOf(request) !== GRAPHQL_PATH) throw new DocketError('NOT_FOUND', 'no WebSocket here');
        origins.check(request);
        websockets.upgrade(request, socket, head);
      } catch {
        refuseUpgrade(socket, '403 Forbidden');
      }
    },
  };
}

/** Who delivers has no business with what others delivered. */
function refuseSender({ role }: Identity): void {
  if (role === 'sender')
    throw new DocketError(
      'PERMISSION_DENIED',
      'a token of the role sender is for putting objects and fetching receipts',
    );
}

function pathOf(request: IncomingMessage): string {
  const [path = ''] = (request.url ?? '').split('?');
  return path;
}
