import type { IncomingMessage, ServerResponse } from 'node:http';
import { hookArgs } from 'postgraphile/grafast';
import type { RequestDigest, Result } from 'postgraphile/grafserv';
import { getBodyFromRequest, GrafservBase, processHeaders } from 'postgraphile/grafserv';
import type { ExecutionArgs, GraphQLError } from 'postgraphile/graphql';
import { DocketError } from '../../errors.ts';
import type { Identity } from '../identity.ts';
import { createUnread } from '../limits/unread.ts';
import { allowIde } from './security-headers.ts';

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
/** The query page and its parts. */
export const IDE_PATH = '/';
const IDE_PARTS_PATH = '/ruru-static/';
export const isIdePath = (path: string): boolean => path === IDE_PATH || path.startsWith(IDE_PARTS_PATH);

const LARGEST_BODY = 64 * 1024;

/** GraphQL without the listening, routing and refusing around it. */
export class GraphqlRoute extends GrafservBase {
  readonly #unread = createUnread();

  /** Answers one request to the GraphQL path, asked by somebody who is known. */
  async answer(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void> {
    if (request.method !== 'POST') {
      throw new DocketError('METHOD_REFUSED', 'GraphQL is asked by POST', { data: { allow: 'POST' } });
    }
    const result = await this.processRequest(digest(request, GRAPHQL_PATH, { identity }));
    if (result?.type === 'buffer') this.#unread.count(identity.subject, response, result.buffer.length);
    send(response, result);
  }

  /** Answers a request for the page on which queries can be written, or for a part of it. */
  async answerIde(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    allowIde(response);
    send(response, await this.processRequest(digest(request, path, {})));
  }

  /** Checks an operation that came over a WebSocket; gives what `execute` and `subscribe` take, or what is wrong with it. */
  async prepare(
    asked: {
      query: string;
      operationName?: string | null | undefined;
      variables?: Record<string, unknown> | null | undefined;
    },
    identity: Identity,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const requestContext = { identity };
    const { schema, parseAndValidate, resolvedPreset, contextValue } =
      await this.getExecutionConfig(requestContext);
    const { document, errors } = parseAndValidate(asked.query);
    if (errors) return errors;
    const args = {
      schema,
      document,
      contextValue: contextValue as Grafast.Context,
      rootValue: null,
      variableValues: asked.variables ?? null,
      operationName: asked.operationName ?? null,
      resolvedPreset,
      requestContext,
    };
    await hookArgs(args);
    return args;
  }
}

function digest(
  request: IncomingMessage,
  path: string,
  requestContext: Partial<Grafast.RequestContext>,
): RequestDigest {
  return {
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    isSecure: false,
    method: request.method ?? '',
    path,
    headers: processHeaders(request.headers),
    getQueryParams: () => ({}),
    getBody: () => getBodyFromRequest(request, LARGEST_BODY),
    requestContext,
  };
}

function send(response: ServerResponse, result: Result | null): void {
  if (result?.type !== 'buffer')
    throw new Error(`an answer of a kind that is never asked for: ${result?.type ?? 'none'}`);
  // What was not read of a body that is too large is not waited for.
  if (result.statusCode === 413) response.setHeader('connection', 'close');
  response.writeHead(result.statusCode, result.headers).end(result.buffer);
}
