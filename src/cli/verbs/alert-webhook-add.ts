import { z } from 'zod';
import { addAlertWebhook } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';
import { webhookUrl } from '../webhooks/webhook-arguments.ts';

export default defineVerb({
  usage: 'alert webhook add <url>',
  summary: 'Have what becomes of alerts from now on sent to an address.',
  input: z.strictObject({ url: webhookUrl }),
  run: ({ url }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      const [added] = await addAlertWebhook(as('docket_operator'), { url });
      const webhook = added?.webhook_id;
      return {
        json: { webhook, url },
        text: `Webhook ${String(webhook)}: what becomes of alerts from now on is sent to ${url}. The key to check it by: docket receipt keys`,
      };
    }),
});
