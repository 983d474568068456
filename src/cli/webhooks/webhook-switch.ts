import { z } from 'zod';
import { setWebhookEnabled } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import type { Verb } from '../verb.ts';
import { defineVerb } from '../verb.ts';
import { webhookNumber } from './webhook-arguments.ts';

/** A verb that enables or disables a webhook, whatever is sent there. */
export function defineWebhookSwitch(group: 'webhook' | 'alert webhook', isEnabled: boolean): Verb {
  return defineVerb({
    usage: `${group} ${isEnabled ? 'enable' : 'disable'} <number>`,
    summary: isEnabled
      ? 'Send to a webhook again, and at once what waits for it, also what failed and would wait longer.'
      : 'Send nothing to a webhook until it is enabled; what is issued meanwhile waits for it.',
    input: z.strictObject({ number: webhookNumber }),
    run: ({ number: webhook }, { config, log }) =>
      withDatabase(config, { log }, async ({ as }) => {
        await setWebhookEnabled(as('docket_operator'), { webhookId: webhook, isEnabled });
        return {
          json: { webhook, enabled: isEnabled },
          text: isEnabled
            ? `Webhook ${webhook} is sent what waits for it, and what is issued from now on.`
            : `Webhook ${webhook} is sent nothing until it is enabled; what is issued meanwhile waits for it.`,
        };
      }),
  });
}
