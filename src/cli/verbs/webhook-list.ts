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
      const rows = await reader
        .selectFrom('docket.webhook_states')
        .selectAll()
        .orderBy('source_id')
        .orderBy('webhook_id')
        .execute();
      const webhooks = rows.map((row) => ({
        webhook: row.webhook_id,
        source: row.source_id,
        url: row.url,
        enabled: row.is_enabled,
        waiting: Number(row.waiting),
        waiting_since: isoTime(row.waiting_since),
        failures: row.failures,
        resting_until: isoTime(row.resting_until),
        last_failure: row.last_failure,
      }));
      return {
        json: { webhooks },
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
            webhooks.map((one) => [
              one.webhook,
              one.source,
              one.url,
              one.enabled ? 'yes' : 'no',
              one.waiting,
              one.waiting_since,
              one.failures,
              one.resting_until,
              one.last_failure,
            ]),
          ) || 'There are no webhooks. Add one: docket webhook add SOURCE URL',
      };
    }),
});
