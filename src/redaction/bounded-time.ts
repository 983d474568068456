import { createContext, Script } from 'node:vm';

const script = new Script('work()');
const room: { work: () => unknown } = { work: () => undefined };
const context = createContext(room);

/**
 * Does work that is not asynchronous and stops it when it takes longer, even within one regular expression. Throws what the
 * work throws, or RunAway.
 */
export function withinTime<Result>(limitMs: number, work: () => Result): Result {
  room.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } catch (error) {
    if (isTimeout(error)) throw new RunAway(limitMs, { cause: error });
    throw error;
  } finally {
    room.work = () => undefined;
  }
}

/** Work that did not end in its time. */
export class RunAway extends Error {
  constructor(limitMs: number, options: { cause: unknown }) {
    super(`stopped after ${limitMs} ms`, options);
    this.name = 'RunAway';
  }
}

/** The error may come from the other context, whose Error is not ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
