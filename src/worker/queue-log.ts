import { Logger } from 'graphile-worker';
import type { Log } from '../log.ts';

const LEVELS: Record<string, 'error' | 'warn' | 'debug' | 'trace'> = {
  error: 'warn',
  warning: 'warn',
  info: 'trace',
  debug: 'trace',
};

/**
 * Passes what the task runner says to the log, less loudly: what it says of each job is told by the job's own entry already,
 * and its errors are connections that broke, which end the session and are told by that.
 */
export function createQueueLog(log: Log, pool: string): Logger {
  return new Logger((scope) => (level, message) => {
    log[LEVELS[level] ?? 'debug']({ pool, scope: scope.label }, message.split('\n', 1)[0]);
  });
}
