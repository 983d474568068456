import type { Log } from '../log.ts';

/**
 * Makes an error that nobody caught end the process with status 70, after it was logged. Going on in an unknown state
 * could record anything; the lease ends with the process, and others take over its jobs within a second.
 */
export function exitOnUncaught(log: Log): void {
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'an error was not caught; the process ends');
    process.exit(70);
  });
}
