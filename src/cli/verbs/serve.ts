import { z } from 'zod';
import type { Config } from '../../config.ts';
import { superviseCluster } from '../../db/cluster/supervise.ts';
import { exitOnUncaught } from '../../worker/crash-guard.ts';
import { withDatabase } from '../database-access.ts';
import { untilAborted } from '../interrupts.ts';
import { withServer } from '../server-run.ts';
import type { CliContext } from '../verb.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'serve',
  summary: 'Serve GraphQL, and take objects of senders, on a migrated database until told to stop.',
  logs: 'all',
  input: z.strictObject({}),
  async run(_input, context) {
    const { config, log } = context;
    exitOnUncaught(log);
    if (config.databaseUrl !== undefined || config.gatewayUrl !== undefined) {
      await serve(config, false, context);
      return undefined;
    }
    return withDatabase(config, { log }, async (database) => {
      const endSupervision = database.cluster && superviseCluster(database.cluster, log);
      try {
        await serve(database.config, true, context);
      } finally {
        await endSupervision?.();
      }
      return undefined;
    });
  },
});

/** Serves on the gateway's login until told to stop; the server needs no other. */
async function serve(
  config: Config,
  embedded: boolean,
  { log, interrupted, answer, tell }: CliContext,
): Promise<void> {
  await withServer(config, { log, embedded, ownFolder: embedded, tell }, async ({ url }, objects) => {
    const taken = objects.url === null ? `${objects.why}.` : `Objects are taken at ${objects.url}.`;
    await answer({
      json: {
        state: 'ready',
        graphql: `${url}/graphql`,
        objects: objects.url,
        objects_not_taken: objects.why,
      },
      text: `GraphQL is served at ${url}/graphql. ${taken} Stop it by Ctrl-C or SIGTERM.`,
    });
    await untilAborted(interrupted);
  });
}
