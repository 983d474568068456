import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { isMigrated } from '../../db/migrate.ts';
import { connectionUrl } from '../../db/pools.ts';
import type { LevelMeasure } from '../../domain/loadtest/level.ts';
import { pagesPerSecond } from '../../domain/loadtest/level.ts';
import { DocketError } from '../../errors.ts';
import { createStore } from '../../store/create-store.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { isForWorkerAlone } from '../database-access.ts';
import { countWorkers } from '../live-workers.ts';
import { createProgress } from '../progress.ts';
import { withKeyring } from '../sealing-keys.ts';
import type { CliContext } from '../verb.ts';
import { withWorker } from '../worker-run.ts';
import type { LoadDocument } from './load-documents.ts';
import { createLoadFeed } from './load-feed.ts';
import { withLoadSite } from './load-site.ts';
import { runLevels } from './run-levels.ts';

/** Whether there is a database beside which the test can have its own. */
export function hasDatabase(config: Config): boolean {
  const folder = join(config.dataDir, 'postgres');
  return (
    config.databaseUrl !== undefined ||
    isForWorkerAlone(config) ||
    existsSync(folder) ||
    existsSync(`${folder}.location`)
  );
}

/**
 * How many workers are at work on a database. Throws DATABASE_NOT_MIGRATED where it is not of this very version: what is measured
 * would be another than what is installed, and the migration of the test would change roles that the installation uses.
 */
export async function workersOf(database: DatabaseAccess): Promise<number> {
  if (!(await isMigrated(connectionUrl(database.config, 'owner')))) {
    throw new DocketError('DATABASE_NOT_MIGRATED', 'the database is not of this version of Docket', {
      hint: 'run "docket migrate"',
    });
  }
  return countWorkers(database.reader);
}

/** Measures the levels on a database beside the one that is open. Throws what runLevels throws, or the reason of the interrupt. */
export async function measureLoad(
  beside: DatabaseAccess,
  plan: {
    readonly folder: string;
    readonly documents: readonly LoadDocument[];
    readonly levels: readonly number[];
    readonly minutes: number;
  },
  { log, live, interrupted }: CliContext,
): Promise<LevelMeasure[]> {
  const { folder, documents, levels, minutes } = plan;
  const progress = createProgress(live);
  const tell = () => undefined;
  let measures: LevelMeasure[] = [];
  try {
    progress.note('making a database for it');
    await withLoadSite(beside, { folder, log }, (site) =>
      withKeyring(site.config, tell, (keyring) =>
        withWorker(site.config, { log, interrupted, tell }, async () => {
          const sink = { store: createStore(site.config), keyring, db: site.sender };
          measures = await runLevels(site, createLoadFeed(sink, site.sender, documents), {
            levels,
            secondsEach: (minutes * 60) / levels.length,
            signal: interrupted,
            onLook: ({ slots, pages, seconds }) =>
              progress.bar(
                levels.indexOf(slots),
                levels.length,
                `${slots} slots, ${seconds.toFixed(0)} s, ${pages} pages`,
              ),
            onLevel: (level) =>
              progress.line(`${level.slots} slots: ${pagesPerSecond(level).toFixed(2)} pages a second`),
          });
        }),
      ),
    );
  } finally {
    progress.clear();
  }
  interrupted.throwIfAborted();
  return measures;
}
