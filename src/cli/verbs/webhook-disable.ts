import { defineWebhookSwitch } from '../webhooks/webhook-switch.ts';

export default defineWebhookSwitch('webhook', false);
