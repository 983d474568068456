import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';
import { WEBHOOK_HEADINGS, webhookCells, webhookRows } from '../webhooks/webhook-rows.ts';

export default defineVerb({
  usage: 'alert webhook list',
  summary: 'List where alerts are sent, how many wait for each since when, and what went wrong last.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const webhooks = (await webhookRows(reader, 'alerts')).map(({ source: _, ...one }) => one);
      return {
        json: { webhooks },
        text:
          textTable(
            ['webhook', ...WEBHOOK_HEADINGS],
            webhooks.map((one) => [one.webhook, ...webhookCells(one)]),
          ) || 'Alerts are sent nowhere. Have them sent: docket alert webhook add URL',
      };
    }),
});
