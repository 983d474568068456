import { DocketError } from '../errors.ts';

/** What Postgres, its driver or the socket under it reported. */
interface DriverError extends Error {
  code?: string;
  detail?: string;
  hint?: string;
  table?: string;
  column?: string;
  constraint?: string;
}

/** The server, or the way to it, is gone for now: the same call may succeed later, and its outcome may be unknown. */
export const DATABASE_UNAVAILABLE = 'DATABASE_UNAVAILABLE';
/** The server does not let the login in. */
export const DATABASE_ACCESS_DENIED = 'DATABASE_ACCESS_DENIED';
/** The login may not do what was asked. */
export const DATABASE_DENIED = 'DATABASE_DENIED';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENOENT',
]);

/** pg reports these states of a connection by message alone. */
const LOST_MESSAGES =
  /connection terminated|connection ended|timeout exceeded when trying to connect|not queryable|was closed|after calling end|read timeout|timeout expired/i;

const STATES: [RegExp, string, string, string?][] = [
  [
    /^(08|57P0[1-5]|53300)/,
    DATABASE_UNAVAILABLE,
    'the database cannot be reached',
    'it is tried again by itself',
  ],
  [/^28/, DATABASE_ACCESS_DENIED, 'the database refused the login', 'check the user and password of the URL'],
  [/^3D000/, 'DATABASE_NOT_FOUND', 'there is no such database', 'create it, or correct the URL'],
  [
    /^(3F000|42P01|42883|42703)/,
    'DATABASE_NOT_MIGRATED',
    'the schema is missing or older',
    'run "docket migrate"',
  ],
  [/^42501/, DATABASE_DENIED, 'the login may not do this', 'see the grants of its role'],
  [/^57014|^55P03/, 'DATABASE_TIMEOUT', 'the database took too long'],
  [/^40/, 'DATABASE_CONFLICT', 'the transaction met another one', 'it may be tried again'],
  [/^53/, 'DATABASE_EXHAUSTED', 'the database is out of a resource', 'see its disk, memory and limits'],
];

/**
 * The one place where an error of the database becomes a DocketError. Errors that a command raised on purpose (SQLSTATE
 * class ZD) keep code, message and hint, and when to try again, where they say so; the others get a program code, with the
 * SQLSTATE and what it names in `data`. A DocketError comes back as it is.
 */
export function fromDatabase(error: unknown): DocketError {
  if (error instanceof DocketError) return error;
  const failure: DriverError = error instanceof Error ? error : new Error(String(error));
  const code = failure.code ?? '';
  const data = describe(failure);
  if (/^ZD...$/.test(code)) {
    return new DocketError(code, failure.message, { cause: error, hint: failure.hint, data });
  }
  if (SOCKET_CODES.has(code) || (code === '' && LOST_MESSAGES.test(failure.message))) {
    return new DocketError(DATABASE_UNAVAILABLE, `the database cannot be reached: ${failure.message}`, {
      cause: error,
      data,
    });
  }
  const [, known, meaning, hint] = STATES.find(([pattern]) => pattern.test(code)) ?? [];
  return new DocketError(
    known ?? 'DATABASE_ERROR',
    `${meaning ?? 'the database reported'}: ${failure.message}`,
    {
      cause: error,
      hint: hint ?? failure.hint,
      data,
    },
  );
}

/** Connections that never came about, so that nothing was asked over them. */
const NEVER_ASKED_CODES = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', '53300', '57P03']);
const NEVER_ASKED_MESSAGES = /trying to connect|connection timeout|after calling end/i;

/** Classes of SQLSTATE; what else stands in `code` is of the driver or the system. */
const SQLSTATE = /^(\d|F0|HV|P0|XX|ZD)/;

/**
 * True if the call may have reached the database and nothing tells whether it was done: the connection broke, or the error
 * arose on our side. An error that the server answered with undid the call.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  const failure = fromDatabase(error);
  const { socket, sqlstate } = failure.data as Record<string, string | undefined>;
  const code = socket ?? sqlstate ?? '';
  if (failure.code !== DATABASE_UNAVAILABLE) return !SQLSTATE.test(code);
  return !NEVER_ASKED_CODES.has(code) && (code !== '' || !NEVER_ASKED_MESSAGES.test(failure.message));
}

/** Of what has no code of its own: a server that only reads, or cannot do what it should, or found its files damaged. */
const SERVER_FAILED = /^(25006|5[578]|XX00[12])/;

/** True for errors that tell of the database, or the way to it, and nothing of what was asked. */
export function isFaultOfDatabase(error: unknown): boolean {
  const { code, data } = fromDatabase(error);
  if (code !== 'DATABASE_ERROR') return code.startsWith('DATABASE_');
  return SERVER_FAILED.test(String(data['sqlstate']));
}

/** True for errors that mean "not now", whatever was being asked. */
export function isUnavailable(error: unknown): boolean {
  return fromDatabase(error).code === DATABASE_UNAVAILABLE;
}

function describe(failure: DriverError): Record<string, unknown> {
  const { code, table, column, constraint } = failure;
  const [, seconds] = /^retry after (\d+) s$/.exec(failure.detail ?? '') ?? [];
  return Object.fromEntries(
    Object.entries({
      [SOCKET_CODES.has(code ?? '') ? 'socket' : 'sqlstate']: code,
      table,
      column,
      constraint,
      retryAfterSeconds: seconds === undefined ? undefined : Number(seconds),
    }).filter(([, value]) => value !== undefined),
  );
}
