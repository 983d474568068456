import { randomBytes } from 'node:crypto';
import { isSafeError } from 'postgraphile/grafast';
import { GraphQLError } from 'postgraphile/graphql';
import { fromDatabase } from '../db/errors.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';

/** What is said of states of Postgres that a caller can cause; its own words name tables, and never leave the server. */
const KNOWN_STATES: readonly [pattern: RegExp, code: string, message: string][] = [
  [/^(42501|25006|0A000)$/, 'PERMISSION_DENIED', 'permission denied'],
  [/^(57014|55P03|25P03|57P05)$/, 'TOOK_TOO_LONG', 'took too long'],
  [/^22/, 'MALFORMED_ARGUMENT', 'malformed argument: a value is none of its type, or out of range'],
  [/^(08|57P0[1-3]|53)/, 'UNAVAILABLE', 'not available now; try again later'],
];

/**
 * What a caller is told of an error. Errors of GraphQL itself get a code where they have none; those that Docket raises on
 * purpose (SQLSTATE class ZD) stay as they are; known states of Postgres get a short sentence; anything else is logged under a number, which is all
 * that is said of it.
 */
export function createErrorMask(log: Log): (error: GraphQLError) => GraphQLError {
  return (error) => {
    const cause = innermost(error);
    if (cause instanceof GraphQLError) return withCode(error, 'BAD_REQUEST');
    if (cause instanceof DocketError) return reply(error, cause.message, cause.code);
    if (isSafeError(cause)) return reply(error, cause.message, 'REFUSED');
    const { code, message, hint } = cause as Error & { code?: string; hint?: string };
    if (code !== undefined && /^ZD\d{3}$/.test(code)) return reply(error, message, code, hint);
    const state = code ?? '';
    const [, known, sentence] = KNOWN_STATES.find(([pattern]) => pattern.test(state)) ?? [];
    if (known !== undefined && sentence !== undefined) {
      if (known === 'UNAVAILABLE') log.warn({ err: fromDatabase(cause) }, 'the database could not answer');
      return reply(error, sentence, known);
    }
    if (fromDatabase(cause).code === 'DATABASE_UNAVAILABLE') {
      log.warn({ err: fromDatabase(cause) }, 'the database could not answer');
      return reply(error, 'not available now; try again later', 'UNAVAILABLE');
    }
    const number = randomBytes(6).toString('hex');
    log.error({ err: cause, number, path: error.path }, 'a request failed in a way that was not foreseen');
    return reply(error, `an error occurred; the log knows it as ${number}`, 'INTERNAL_ERROR');
  };
}

/** Errors come wrapped, as often as they were passed on. */
function innermost(error: GraphQLError): Error {
  let cause: Error = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** An error of GraphQL itself with a code, its own or this one; its sentence says what is wrong, and where. */
export function withCode(error: GraphQLError, code: string): GraphQLError {
  if (error.extensions['code'] !== undefined) return error;
  return new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    extensions: { ...error.extensions, code },
  });
}

/** The place in the query stays, so that the caller can tell which field failed; nothing else of the error does. */
function reply(error: GraphQLError, message: string, code: string, hint?: string): GraphQLError {
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    path: error.path ?? null,
    extensions: { code, ...(hint === undefined ? {} : { hint }) },
  });
}
