import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestDigest, Result } from 'postgraphile/grafserv';
import { getBodyFromRequest, GrafservBase, processHeaders } from 'postgraphile/grafserv';
import type { Identity } from './identity.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Grafast is told of what a request carries
  namespace Grafast {
    interface RequestContext {
      /** Who asks. */
      identity: Identity;
    }
  }
}

export const GRAPHQL_PATH = '/graphql';
const LARGEST_BODY = 64 * 1024;

/** GraphQL over HTTP, without the listening and routing around it. */
export class GraphqlRoute extends GrafservBase {
  /** Answers one request to the GraphQL path, asked by somebody who is known. */
  async answer(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void> {
    send(response, await this.processRequest(digest(request, identity)));
  }
}

function digest(request: IncomingMessage, identity: Identity): RequestDigest {
  return {
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    isSecure: false,
    method: request.method ?? '',
    path: GRAPHQL_PATH,
    headers: processHeaders(request.headers),
    getQueryParams: () => ({}),
    getBody: () => getBodyFromRequest(request, LARGEST_BODY),
    requestContext: { identity },
  };
}

function send(response: ServerResponse, result: Result | null): void {
  if (result?.type !== 'buffer') {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(result.statusCode, result.headers).end(result.buffer);
}
