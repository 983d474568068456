import type { Config } from '../config.ts';
import * as commands from '../db/commands.ts';
import { createPool, PLANNED_ONCE } from '../db/pools.ts';
import type { Log } from '../log.ts';
import { CONNECTIONS } from './connections.ts';
import { startLoop } from './loop.ts';
import { tellOfAlert } from './tell-of-alert.ts';
import { sweepTempFolders } from '../temp-folder.ts';

/** What every worker process does for all of them; the database lets one at a time do each, and answers fast otherwise. */
export interface Duties {
  /** Says that there may be room for more jobs. */
  wakeAdmission(): void;
  /** Resolves when rounds under way are over. Never rejects. */
  stop(): Promise<void>;
}

/** Events a round: a fraction of a second of one connection. */
const AGED_EVENTS = 5_000;

/** Documents a round whose retention is over: each is an event, and somebody has to decide on it. */
const RETENTIONS = 100;

/**
 * Starts the duties. They commit without waiting for the disk, and so cost next to nothing while there is nothing to do:
 * what a crash of the server undoes is due again afterwards, and whatever was built on it was flushed with it.
 */
export function startDuties(options: {
  /** Of a login that may execute the worker's commands. */
  url: string;
  config: Pick<Config, 'admissionWindow' | 'tempDir'>;
  log: Log;
}): Duties {
  const { url, config, log } = options;
  const db = createPool({
    url,
    name: 'duties',
    max: CONNECTIONS.duties,
    log,
    settings: { ...PLANNED_ONCE, synchronous_commit: 'off' },
  });
  let stopped = false;
  const admission = startLoop({
    name: 'admit',
    everyMs: 100,
    idleMs: 500,
    log,
    async round() {
      const [row] = await commands.admit(db, { window: config.admissionWindow });
      return (row?.admitted ?? 0) > 0;
    },
  });
  const sweeper = startLoop({
    name: 'sweep',
    everyMs: 1_000,
    idleMs: 5_000,
    log,
    round: async () => (await sweepTempFolders(config.tempDir, log)) > 0,
  });
  const reaper = startLoop({
    name: 'reap',
    everyMs: 250,
    log,
    async round() {
      const lost = await commands.reap(db);
      for (const row of lost) log.warn({ of: row }, 'work of a lost worker was taken back');
      if (lost.length > 0) sweeper.wake();
      return lost.length > 0;
    },
  });
  const reconciler = startLoop({
    name: 'reconcile',
    everyMs: 2_000,
    log,
    async round() {
      const woken = await commands.reconcile(db);
      if (woken.length > 0) log.info({ jobs: woken.length }, 'jobs that the queue forgot were woken');
      return woken.length > 0;
    },
  });
  const announcer = startLoop({
    name: 'announce',
    everyMs: 250,
    idleMs: 500,
    log,
    async round() {
      const [row] = await commands.announce(db);
      return row?.announced === true;
    },
  });
  const retention = startLoop({
    name: 'retain',
    everyMs: 1_000,
    idleMs: 600_000,
    log,
    async round() {
      const asked = await commands.endRetentions(db, { limit: RETENTIONS });
      if (asked.length > 0)
        log.info(
          { documents: asked.length },
          'the retention of documents is over; an evidence owner has to decide',
        );
      return asked.length > 0;
    },
  });
  const expiry = startLoop({
    name: 'expire',
    everyMs: 500,
    idleMs: 1_000,
    log,
    async round() {
      const ended = await commands.endExpiredChanges(db);
      for (const change of ended) log.info({ of: change }, 'a change that was made for a time is undone');
      return ended.length > 0;
    },
  });
  const watcher = startLoop({
    name: 'watch',
    everyMs: 2_000,
    log,
    async round() {
      const changes = await commands.watch(db);
      for (const change of changes) tellOfAlert(log, change);
      return changes.length > 0;
    },
  });
  const ages = startLoop({
    name: 'ages',
    everyMs: 2_000,
    idleMs: 10_000,
    log,
    async round() {
      let isMore = true;
      let events = 0;
      while (isMore && !stopped) {
        const [row] = await commands.measureAges(db, { limit: AGED_EVENTS });
        isMore = row?.is_more === true;
        events += row?.events ?? 0;
      }
      return events > 0;
    },
  });
  const loops = [admission, reaper, reconciler, announcer, sweeper, retention, expiry, watcher, ages];
  return {
    wakeAdmission: () => admission.wake(),
    async stop() {
      stopped = true;
      await Promise.all(loops.map((loop) => loop.stop()));
      void db.end();
    },
  };
}
