import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { DocketError } from './errors.ts';

export type Log = Logger;

/**
 * Makes the program's logger: one JSON line an entry, on standard error unless a destination is given, so that standard
 * output stays free for answers. Errors are logged under `err` with their code, hint and data; connection strings and
 * whatever may hold a secret are never passed to it.
 */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      name: 'docket',
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    options.destination ?? pino.destination(2),
  );
}

/** What a log line says of an error: its code first, the stack last, the causes nested. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const known = error instanceof DocketError ? { code: error.code, hint: error.hint, data: error.data } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { ...known, message: error.message, ...cause, stack: error.stack };
}
