import { z } from 'zod';
import { superviseCluster } from '../../db/cluster/supervise.ts';
import { exitOnUncaught } from '../../worker/crash-guard.ts';
import { withDatabase } from '../database-access.ts';
import { untilAborted } from '../interrupts.ts';
import { defineVerb } from '../verb.ts';
import { withWorker } from '../worker-run.ts';

export default defineVerb({
  usage: 'worker',
  summary: 'Run a worker on a migrated database until told to stop; start as many as there is work for.',
  logs: 'all',
  input: z.strictObject({}),
  run: (_input, { config, log, interrupted, answer }) =>
    withDatabase(config, { log }, async (database) => {
      exitOnUncaught(log);
      const endSupervision = database.cluster && superviseCluster(database.cluster, log);
      try {
        await withWorker(database.config, { log, interrupted }, async () => {
          await answer({
            json: {
              state: 'ready',
              store: config.store,
              io_slots: config.ioSlots,
              ocr_slots: config.ocrSlots,
            },
            text: `The worker is at work: ${config.ocrSlots} documents at a time. Stop it by Ctrl-C or SIGTERM.`,
          });
          await untilAborted(interrupted);
        });
      } finally {
        await endSupervision?.();
      }
      return undefined;
    }),
});
