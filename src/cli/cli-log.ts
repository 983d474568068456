import pretty from 'pino-pretty';
import type { Log } from '../log.ts';
import { createLog } from '../log.ts';

const QUIET = new Set(['trace', 'debug', 'info']);

/**
 * The log of a command line, on standard error: readable lines on a terminal, JSON elsewhere. Verbs that only answer a
 * question log what is wrong, and the rest only on demand.
 */
export function createCliLog(level: string, talkative: boolean): Log {
  const wanted = !talkative && QUIET.has(level) ? 'warn' : level;
  if (!process.stderr.isTTY) return createLog({ level: wanted });
  const destination = pretty({
    destination: 2,
    sync: true,
    ignore: 'pid,hostname,name',
    translateTime: 'SYS:HH:MM:ss',
  });
  return createLog({ level: wanted, destination });
}
