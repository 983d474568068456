import { z } from 'zod';
import type { Config } from '../../config.ts';
import { superviseCluster } from '../../db/cluster/supervise.ts';
import { exitOnUncaught } from '../../worker/crash-guard.ts';
import { beginStore } from '../begin-store.ts';
import { isForWorkerAlone, withDatabase } from '../database-access.ts';
import { untilAborted } from '../interrupts.ts';
import { requireSharedKeys } from '../sealing-keys.ts';
import type { CliContext } from '../verb.ts';
import { defineVerb } from '../verb.ts';
import { withWorker } from '../worker-run.ts';

export default defineVerb({
  usage: 'worker',
  summary: 'Run a worker on a migrated database until told to stop; start as many as there is work for.',
  logs: 'all',
  input: z.strictObject({}),
  async run(_input, context) {
    const { config, log } = context;
    exitOnUncaught(log);
    if (isForWorkerAlone(config)) {
      requireSharedKeys(config);
      await work(config, context, { ownFolder: false });
      return undefined;
    }
    return withDatabase(config, { log }, async (database) => {
      if (!database.cluster) requireSharedKeys(config);
      // A worker outlives the database, also one that is away when it starts.
      await beginStore(database).catch((err: unknown) => log.warn({ err }, 'the store was not looked at'));
      const endSupervision = database.cluster && superviseCluster(database.cluster, log);
      try {
        await work(database.config, context, { ownFolder: database.cluster !== undefined });
      } finally {
        await endSupervision?.();
      }
      return undefined;
    });
  },
});

/** Runs a worker on the logins of the configuration until told to stop. */
async function work(
  config: Config,
  { log, interrupted, answer, tell }: CliContext,
  { ownFolder }: { ownFolder: boolean },
): Promise<void> {
  await withWorker(config, { log, interrupted, tell, ownFolder }, async () => {
    await answer({
      json: { state: 'ready', store: config.store, io_slots: config.ioSlots, ocr_slots: config.ocrSlots },
      text: `The worker is at work: ${config.ocrSlots} documents at a time. Stop it by Ctrl-C or SIGTERM.`,
    });
    await untilAborted(interrupted);
  });
}
