import { hostname } from 'node:os';
import * as commands from '../db/commands.ts';
import type { Log } from '../log.ts';
import type { Loop } from './loop.ts';
import { startLoop } from './loop.ts';

const LOOK_EVERY_MS = 5_000;
const WARN_EVERY_MS = 60_000;

/** Warns of what is down on this host: soon after it went down, then once a minute. Says also when it works again. */
export function startOutageWarnings(db: commands.Queryable, log: Log): Loop {
  /** When each was last warned of, by the clock that only measures durations. */
  const warnedMs = new Map<string, number>();
  return startLoop({
    name: 'outages',
    everyMs: LOOK_EVERY_MS,
    log,
    async round() {
      const down = await commands.openOutages(db, { host: hostname() });
      for (const { dependency, seconds, code, message, meaning, probes } of down) {
        const nowMs = performance.now();
        if (nowMs - (warnedMs.get(dependency) ?? -Infinity) < WARN_EVERY_MS) continue;
        warnedMs.set(dependency, nowMs);
        log.warn(
          { dependency, meaning, code, reason: message, seconds: Math.round(seconds), probes },
          'something that the work depends on is down on this host; nothing that needs it is begun here, and no document is blamed',
        );
      }
      for (const dependency of warnedMs.keys()) {
        if (down.some((row) => row.dependency === dependency)) continue;
        warnedMs.delete(dependency);
        log.info({ dependency }, 'it works again');
      }
      return down.length > 0;
    },
  });
}
