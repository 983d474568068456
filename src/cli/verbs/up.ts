import { z } from 'zod';
import { superviseCluster } from '../../db/cluster/supervise.ts';
import { migrate } from '../../db/migrate.ts';
import { connectionUrl } from '../../db/pools.ts';
import { exitOnUncaught } from '../../worker/crash-guard.ts';
import { psqlLine } from '../connect-line.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import { untilAborted } from '../interrupts.ts';
import { whyNotServed, withServer } from '../server-run.ts';
import { defineVerb } from '../verb.ts';
import { withWorker } from '../worker-run.ts';

export default defineVerb({
  usage: 'up',
  summary: 'Run everything until told to stop: the embedded Postgres, migrated, a worker, and GraphQL.',
  logs: 'all',
  input: z.strictObject({}),
  run: ({}, { config, log, interrupted, answer, tell }) =>
    withDatabase(config, { log, create: true }, async (database) => {
      exitOnUncaught(log);
      const embedded = database.cluster !== undefined;
      const endSupervision = database.cluster && superviseCluster(database.cluster, log);
      const work = (graphql: Graphql) =>
        withWorker(database.config, { log, interrupted, tell }, async () => {
          await answer(readiness(database, graphql));
          await untilAborted(interrupted);
        });
      try {
        await migrate({
          connectionString: connectionUrl(database.config, 'owner'),
          onlyIfChanged: true,
          log,
        });
        const reason = embedded ? undefined : whyNotServed(database.config);
        if (reason) await work({ url: null, why: reason.message });
        else {
          await withServer(database.config, { log, embedded }, ({ url }) =>
            work({ url: `${url}/graphql`, why: null }),
          );
        }
      } finally {
        await endSupervision?.();
      }
      return undefined;
    }),
});

/** Where GraphQL is served, or why it is not. */
type Graphql = { url: string; why: null } | { url: null; why: string };

function readiness(database: DatabaseAccess, graphql: Graphql) {
  const { cluster, config } = database;
  const facts = {
    state: 'ready',
    data_dir: cluster ? config.dataDir : null,
    postgres_dir: cluster?.dataDir ?? null,
    postgres_log: cluster?.logFile ?? null,
    store: config.store,
    connect: psqlLine(database),
    graphql: graphql.url,
    graphql_not_served: graphql.why,
  };
  const lines = [
    'Docket is up.',
    ...(cluster ? [`  database   ${cluster.dataDir}`, `  its log    ${cluster.logFile}`] : []),
    `  scans      ${config.store}`,
    `  look in    ${facts.connect}`,
    '  deliver    docket submit FILE…',
    `  ask        ${graphql.url ?? graphql.why}`,
    ...(graphql.url !== null && config.tokenKeys === undefined
      ? ['  as         docket token --role analyst --sources NAME,NAME…']
      : []),
    '  stop       Ctrl-C, or SIGTERM',
  ];
  return { json: facts, text: lines.join('\n') };
}
