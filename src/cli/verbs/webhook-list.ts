import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'webhook list',
  summary: 'List where receipts are sent, how many wait for each since when, and what went wrong last.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const webhooks = await reader
        .selectFrom('docket.webhook_states')
        .selectAll()
        .orderBy('source_id')
        .orderBy('webhook_id')
        .execute();
      return {
        json: {
          webhooks: webhooks.map((row) => ({
            webhook: row.webhook_id,
            source: row.source_id,
            url: row.url,
            enabled: row.is_enabled,
            waiting: Number(row.waiting),
            waiting_since: isoTime(row.waiting_since),
            failures: row.failures,
            resting_until: isoTime(row.resting_until),
            last_failure: row.last_failure,
          })),
        },
        text:
          textTable(
            [
              'webhook',
              'source',
              'url',
              'enabled',
              'waiting',
              'since',
              'failures',
              'rests until',
              'last failure',
            ],
            webhooks.map((row) => [
              row.webhook_id,
              row.source_id,
              row.url,
              row.is_enabled ? 'yes' : 'no',
              Number(row.waiting),
              isoTime(row.waiting_since),
              row.failures,
              isoTime(row.resting_until),
              row.last_failure,
            ]),
          ) || 'There are no webhooks. Add one: docket webhook add SOURCE URL',
      };
    }),
});
