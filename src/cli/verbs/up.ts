import { z } from 'zod';
import { superviseCluster } from '../../db/cluster/supervise.ts';
import { migrate } from '../../db/migrate.ts';
import { connectionUrl } from '../../db/pools.ts';
import { exitOnUncaught } from '../../worker/crash-guard.ts';
import { beginStore } from '../begin-store.ts';
import { psqlLine } from '../connect-line.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import { untilAborted } from '../interrupts.ts';
import type { Offer } from '../server-run.ts';
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
      const work = (graphql: Offer, objects: Offer) =>
        withWorker(database.config, { log, interrupted, tell }, async () => {
          await answer(readiness(database, { graphql, objects }));
          await untilAborted(interrupted);
        });
      try {
        await migrate({
          connectionString: connectionUrl(database.config, 'owner'),
          onlyIfChanged: true,
          log,
        });
        await beginStore(database);
        const reason = embedded ? undefined : whyNotServed(database.config);
        if (reason) await work({ url: null, why: reason.message }, { url: null, why: reason.message });
        else {
          const options = { log, embedded, ownFolder: true, tell };
          await withServer(database.config, options, ({ url }, objects) =>
            work({ url: `${url}/graphql`, why: null }, objects),
          );
        }
      } finally {
        await endSupervision?.();
      }
      return undefined;
    }),
});

function readiness(database: DatabaseAccess, { graphql, objects }: { graphql: Offer; objects: Offer }) {
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
    objects: objects.url,
  };
  const lines = [
    'Docket is up.',
    ...(cluster ? [`  database   ${cluster.dataDir}`, `  its log    ${cluster.logFile}`] : []),
    `  scans      ${config.store}`,
    `  look in    ${facts.connect}`,
    `  deliver    docket submit FILE…${objects.url === null ? '' : `, or PUT ${objects.url}?source=NAME and a row`}`,
    `  ask        ${graphql.url ?? graphql.why}`,
    ...(graphql.url !== null && config.tokenKeys === undefined
      ? ['  as         docket token --role analyst --sources NAME,NAME…']
      : []),
    '  stop       Ctrl-C, or SIGTERM',
  ];
  return { json: facts, text: lines.join('\n') };
}
