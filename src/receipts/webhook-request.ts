import type { SigningKey } from './key-file.ts';

/** A receipt, or what became of an alert, as its webhook is told of it. */
export interface WebhookMessage {
  /** By which the receiver knows it again: the receipt, or a number of its own. */
  readonly message_id: string;
  readonly source_id: string | null;
  readonly delivery_id: string | null;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly issued_at: string;
  readonly jws: string | null;
  /** Null where it is a receipt. */
  readonly alert: unknown;
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
  const body = JSON.stringify(message.alert === null ? receiptOf(message) : alertOf(message));
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = key.sign(Buffer.from(`${message.message_id}.${timestamp}.${body}`));
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.message_id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1a,${signature.toString('base64')}`,
    },
    body,
  };
}

function receiptOf({ issued_at, source_id, delivery_id, outcome, code, jws }: WebhookMessage): object {
  return {
    type: 'receipt',
    timestamp: issued_at,
    source: source_id,
    delivery: delivery_id,
    outcome,
    code: code ?? undefined,
    receipt: jws,
  };
}

function alertOf({ issued_at, alert }: WebhookMessage): object {
  return { type: 'alert', timestamp: issued_at, ...(alert as object) };
}
