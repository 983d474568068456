import { z } from 'zod';
import { superviseCluster } from '../../db/cluster/supervise.ts';
import { migrate } from '../../db/migrate.ts';
import { connectionUrl } from '../../db/pools.ts';
import { exitOnUncaught } from '../../worker/crash-guard.ts';
import { psqlLine } from '../connect-line.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import { untilAborted } from '../interrupts.ts';
import { defineVerb } from '../verb.ts';
import { withWorker } from '../worker-run.ts';

export default defineVerb({
  usage: 'up',
  summary: 'Run everything until told to stop: the embedded Postgres, migrated, and a worker.',
  logs: 'all',
  input: z.strictObject({}),
  run: ({}, { config, log, interrupted, answer }) =>
    withDatabase(config, { log, create: true }, async (database) => {
      exitOnUncaught(log);
      const endSupervision = database.cluster && superviseCluster(database.cluster, log);
      try {
        await migrate({
          connectionString: connectionUrl(database.config, 'owner'),
          onlyIfChanged: true,
          log,
        });
        await withWorker(database.config, { log, interrupted }, async () => {
          await answer(readiness(database));
          await untilAborted(interrupted);
        });
      } finally {
        await endSupervision?.();
      }
      return undefined;
    }),
});

function readiness(database: DatabaseAccess) {
  const { cluster, config } = database;
  const facts = {
    state: 'ready',
    data_dir: cluster ? config.dataDir : null,
    postgres_dir: cluster?.dataDir ?? null,
    postgres_log: cluster?.logFile ?? null,
    store: config.store,
    connect: psqlLine(database),
  };
  const lines = [
    'Docket is up.',
    ...(cluster ? [`  database   ${cluster.dataDir}`, `  its log    ${cluster.logFile}`] : []),
    `  scans      ${config.store}`,
    `  look in    ${facts.connect}`,
    '  deliver    docket submit FILE…',
    '  stop       Ctrl-C, or SIGTERM',
  ];
  return { json: facts, text: lines.join('\n') };
}
