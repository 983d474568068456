import * as commands from '../db/commands.ts';
import { fromDatabase } from '../db/errors.ts';
import { createPool } from '../db/pools.ts';
import type { Log } from '../log.ts';
import { CONNECTIONS } from './connections.ts';
import type { Loop } from './loop.ts';
import { startLoop } from './loop.ts';

/** Events a round: 40 tiles, a few milliseconds. */
const EVENTS = 10_000;
const EVERY_MS = 200;
const IDLE_MS = 1_000;
const LOOK_EVERY_MS = 5_000;
const WARN_EVERY_MS = 60_000;

/**
 * Makes events the leaves of the Merkle log, over a connection of its own, so that no other work of the process holds it up; and
 * says what stalls it. It does not wait for the disk: a crash that undoes a seal leaves the events, which are sealed again in the same
 * order; docket.claim_checkpoint waits for the disk before anything is signed.
 */
export function startSeals(options: { url: string; log: Log }): Pick<Loop, 'stop'> {
  const { url, log } = options;
  const db = createPool({
    url,
    name: 'audit',
    max: CONNECTIONS.seals,
    log,
    settings: { synchronous_commit: 'off' },
  });
  let lookAgainMs = -Infinity;

  async function warnOfStall(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < lookAgainMs) return;
    lookAgainMs = nowMs + LOOK_EVERY_MS;
    const [status] = await commands.sealStatus(db);
    if (!status?.code) return;
    lookAgainMs = nowMs + WARN_EVERY_MS;
    const { code, blocker, blocker_age, remedy, unsealed_events, unsealed_for } = status;
    log.warn(
      { code, blocker, blocker_age, remedy, unsealed_events, unsealed_for },
      code === 'SEAL_STALLED'
        ? 'events cannot be sealed; until they are, nothing outside shows that they were not rewritten'
        : 'the database was restored; nothing is sealed until the recovery is declared',
    );
  }

  const loop = startLoop({
    name: 'seal',
    everyMs: EVERY_MS,
    idleMs: IDLE_MS,
    log,
    async round() {
      await warnOfStall();
      try {
        return (await commands.sealEvents(db, { limit: EVENTS })).length > 0;
      } catch (error) {
        if (fromDatabase(error).code === 'ZD052') return false;
        throw error;
      }
    },
  });
  return {
    async stop() {
      await loop.stop();
      void db.end();
    },
  };
}
