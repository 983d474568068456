import { fromDatabase, isUnavailable } from '../db/errors.ts';
import { DocketError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { exitCodeOf } from './exit-codes.ts';
import { printable } from './printable.ts';

/** Any error as one the program can tell of. What nobody foresaw is INTERNAL_ERROR. */
export function toDocketError(error: unknown): DocketError {
  if (error instanceof DocketError) return error;
  if (isFromDatabase(error)) return fromDatabase(error);
  const message = error instanceof Error ? error.message : String(error);
  return new DocketError('INTERNAL_ERROR', message, {
    cause: error,
    hint: 'this is a fault of the program; please report it with the log above',
  });
}

/** An error as an answer: one line, a hint below it, and the exit code that fits. */
export function errorAnswer({ code, message, hint }: DocketError): Answer {
  return {
    json: { error: { code, message, hint: hint ?? null } },
    text: printable(`docket: ${code}: ${message}${hint === undefined ? '' : `\n  hint: ${hint}`}`),
    exitCode: exitCodeOf(code),
  };
}

/** File systems and sockets share their codes (ENOENT); only the former name a path. */
function isFromDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('severity' in error) return true;
  const isAboutFile = 'path' in error && 'syscall' in error && error.syscall !== 'connect';
  return !isAboutFile && isUnavailable(error);
}
