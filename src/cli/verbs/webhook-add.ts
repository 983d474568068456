import { z } from 'zod';
import { addWebhook } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';
import { webhookUrl } from '../webhooks/webhook-arguments.ts';

export default defineVerb({
  usage: 'webhook add <source> <url>',
  summary: 'Have the receipts of a source that are issued from now on sent to an address.',
  input: z.strictObject({
    source: z.string(),
    url: webhookUrl,
  }),
  run: ({ source, url }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      const [added] = await addWebhook(as('docket_operator'), { sourceId: source, url });
      const webhook = added?.webhook_id;
      return {
        json: { webhook, source, url },
        text: `Webhook ${String(webhook)}: the receipts of ${source} that are issued from now on are sent to ${url}. The key to check them by: docket receipt keys`,
      };
    }),
});
