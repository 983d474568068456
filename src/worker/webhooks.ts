import type pg from 'pg';
import { coalesce } from '../attempts/coalesce.ts';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ReceiptSigner } from '../receipts/signer.ts';
import { toWebhookRequest } from '../receipts/webhook-request.ts';
import type { ClaimedWork } from './claimed-work.ts';
import { startClaimedWork } from './claimed-work.ts';
import { postWebhook } from './post-webhook.ts';

/** Mostly waiting: the database lets no webhook have more than a few of them. */
const MESSAGES_AT_ONCE = 32;
/** How long a receiver may take for its whole answer; the database hands messages out for longer. */
const ANSWER_WITHIN_MS = 10_000;

interface End {
  readonly message: commands.ClaimWebhookMessagesRow;
  /** Null when nobody knows, as the worker stops. */
  readonly isAcknowledged: boolean | null;
  readonly failure: string | null;
}

/**
 * Sends receipts to the webhooks of their sources, and alerts to theirs. A message may be sent twice, as a worker can die
 * between the answer and its record; and what was not acknowledged is sent again for ever, as the database says.
 */
export function startWebhooks(options: {
  db: pg.Pool;
  signer: ReceiptSigner;
  log: Log;
  answerWithinMs?: number;
}): ClaimedWork {
  const { db, signer, log, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const record = coalesce((ends: readonly End[]) =>
    commands.recordWebhookAttempts(db, {
      messages: ends.map(({ message }) => message.webhook_message_id),
      tries: ends.map(({ message }) => message.tries),
      isAcknowledged: ends.map((end) => end.isAcknowledged),
      failures: ends.map((end) => end.failure),
    }),
  );
  return startClaimedWork({
    name: 'webhooks',
    everyMs: 50,
    idleMs: 500,
    atOnce: MESSAGES_AT_ONCE,
    log,
    claim: (limit) => commands.claimWebhookMessages(db, { limit }),
    async work(message, stopping) {
      const about = { webhook: message.webhook_id, message: message.message_id, tries: message.tries };
      try {
        const end = await send(message, signer, { answerWithinMs, stopping });
        const { outcome } = await record(end);
        log.debug({ ...about, outcome, failure: end.failure }, 'a message was sent to a webhook');
      } catch (err) {
        log.warn(
          { ...about, err },
          'a message to a webhook was not sent, or how that ended was not recorded; it is sent again',
        );
      }
    },
  });
}

async function send(
  message: commands.ClaimWebhookMessagesRow,
  signer: ReceiptSigner,
  patience: { answerWithinMs: number; stopping: AbortSignal },
): Promise<End> {
  try {
    const request = toWebhookRequest(message, await signer.current(), new Date());
    await postWebhook(message.url, request, patience);
    return { message, isAcknowledged: true, failure: null };
  } catch (error) {
    if (error instanceof DocketError && error.code === 'WEBHOOK_FAILED')
      return { message, isAcknowledged: false, failure: error.message };
    if (patience.stopping.aborted) return { message, isAcknowledged: null, failure: null };
    throw error;
  }
}
