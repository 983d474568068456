import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { rollbackStandings } from '../rollback/rollback-standing.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

const COUNT = 'expected a whole number from 1';

export default defineVerb({
  usage: 'rollback list',
  summary: 'List rollbacks of the OCR configuration, the newest first.',
  options: [['--limit <number>', 'so many at most; default 20']],
  input: z.strictObject({ limit: z.coerce.number(COUNT).int(COUNT).min(1, COUNT).default(20) }),
  run: ({ limit }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const rollbacks = await rollbackStandings(reader, { limit });
      return {
        json: { rollbacks },
        text:
          textTable(
            ['rollback', 'from', 'to', 'began', 'by', 'alert', 'next', 'ended', 'why'],
            rollbacks.map((one) => [
              one.rollback,
              one.from,
              one.to,
              one.began_at,
              one.ordered_by,
              one.alert,
              one.failure === null ? one.step : `${one.step}, failed`,
              one.ended_at,
              one.reason,
            ]),
          ) || 'Nothing was rolled back yet.',
      };
    }),
});
