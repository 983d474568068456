import type { Level } from 'pino';
import pretty from 'pino-pretty';
import type { Log } from '../log.ts';
import { createLog } from '../log.ts';
import type { LogHabit } from './verb.ts';

const SEVERITY: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const LEAST: Record<LogHabit, Level> = { all: 'trace', warnings: 'warn', errors: 'error' };

/**
 * The log of a command line, on standard error: readable lines on a terminal, JSON elsewhere. Of what the configuration
 * asks for, the habit of the verb leaves out what is less serious.
 */
export function createCliLog(configured: string, habit: LogHabit): Log {
  const level =
    SEVERITY[Math.max(SEVERITY.indexOf(configured), SEVERITY.indexOf(LEAST[habit]))] ?? configured;
  if (!process.stderr.isTTY) return createLog({ level });
  const destination = pretty({
    destination: 2,
    sync: true,
    ignore: 'pid,hostname,name',
    translateTime: 'SYS:HH:MM:ss',
  });
  return createLog({ level, destination });
}
