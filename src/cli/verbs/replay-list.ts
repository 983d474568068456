import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { replayStandings } from '../replay/replay-standing.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'replay list',
  summary: 'List replays, the newest first, and how each came out.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const replays = await replayStandings(reader);
      return {
        json: { replays },
        text:
          textTable(
            ['replay', 'started', 'by', 'documents', 'passed', 'failed', 'unchecked', 'waiting', 'reason'],
            replays.map((one) => [
              one.replay,
              one.started_at,
              one.started_by,
              one.sample,
              one.passed,
              one.failed,
              one.unchecked,
              one.waiting,
              one.reason,
            ]),
          ) || 'There was no replay yet. Start one: docket replay --count 200',
      };
    }),
});
