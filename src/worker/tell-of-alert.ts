import type { WatchRow } from '../db/commands.ts';
import type { Log } from '../log.ts';

/** Logs what became of an alert: an error where something is broken, a warning where it may be, else information. */
export function tellOfAlert(log: Log, { change, severity, fact, ...about }: WatchRow): void {
  const told = { ...about, severity };
  if (change === 'closed' || change === 'eased') log.info(told, `alert ${change}: ${fact}`);
  else if (severity === 'warning') log.warn(told, `alert ${change}: ${fact}`);
  else log.error(told, `alert ${change}: ${fact}`);
}
