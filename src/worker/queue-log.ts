import { Logger } from 'graphile-worker';
import type { Log } from '../log.ts';

const LEVELS: Record<string, 'error' | 'warn' | 'debug' | 'trace'> = {
  error: 'error',
  warning: 'warn',
  info: 'trace',
  debug: 'trace',
};

/** Passes what the task runner says to the log; what it says of each job is told by the job's own entry already. */
export function createQueueLog(log: Log, pool: string): Logger {
  return new Logger((scope) => (level, message) => {
    log[LEVELS[level] ?? 'debug']({ pool, scope: scope.label }, message);
  });
}
