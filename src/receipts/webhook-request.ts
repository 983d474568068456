import type { SigningKey } from './key-file.ts';

/** A receipt as its webhook is told of it. */
export interface WebhookMessage {
  readonly receipt_id: string;
  readonly source_id: string;
  readonly delivery_id: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly issued_at: string;
  readonly jws: string;
}

/** What is posted. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The request for a message, signed for this moment after Standard Webhooks, with the key that signs receipts. What is signed
 * holds a brace, which no signed part of a JWS does, so neither signature can be taken for the other.
 */
export function toWebhookRequest(message: WebhookMessage, key: SigningKey, at: Date): WebhookRequest {
  const body = JSON.stringify({
    type: 'receipt',
    timestamp: message.issued_at,
    source: message.source_id,
    delivery: message.delivery_id,
    outcome: message.outcome,
    code: message.code ?? undefined,
    receipt: message.jws,
  });
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = key.sign(Buffer.from(`${message.receipt_id}.${timestamp}.${body}`));
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.receipt_id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1a,${signature.toString('base64')}`,
    },
    body,
  };
}
