import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';
import { WEBHOOK_HEADINGS, webhookCells, webhookRows } from '../webhooks/webhook-rows.ts';

export default defineVerb({
  usage: 'webhook list',
  summary: 'List where receipts are sent, how many wait for each since when, and what went wrong last.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const webhooks = await webhookRows(reader, 'receipts');
      return {
        json: { webhooks },
        text:
          textTable(
            ['webhook', 'source', ...WEBHOOK_HEADINGS],
            webhooks.map((one) => [one.webhook, one.source, ...webhookCells(one)]),
          ) || 'There are no webhooks. Add one: docket webhook add SOURCE URL',
      };
    }),
});
