import { DocketError } from '../errors.ts';
import type { WebhookRequest } from '../receipts/webhook-request.ts';

/** How much of an answer is read. */
const ANSWER_MAX_BYTES = 64 * 1024;

/**
 * Posts a request. Only a whole answer of status 2xx, in time and of a bearable length, says that the receiver has it.
 * Throws WEBHOOK_FAILED, which says in words what was wrong, or the reason of the signal.
 */
export async function postWebhook(
  url: string,
  { headers, body }: WebhookRequest,
  { answerWithinMs, stopping }: { answerWithinMs: number; stopping: AbortSignal },
): Promise<void> {
  const tooLate = AbortSignal.timeout(answerWithinMs);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'docket' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, tooLate]),
    });
    await readWhole(answer);
    if (!answer.ok) throw failed(`it answered ${answer.status}`);
  } catch (error) {
    stopping.throwIfAborted();
    if (tooLate.aborted) throw failed(`it did not answer within ${answerWithinMs / 1000} seconds`);
    throw error instanceof DocketError ? error : failed(`it cannot be reached: ${reasonOf(error)}`, error);
  }
}

/** An answer that never ends must not be taken for one, and must not fill the memory. */
async function readWhole(answer: Response): Promise<void> {
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += (piece as Uint8Array).byteLength;
    if (bytes > ANSWER_MAX_BYTES) throw failed(`its answer of status ${answer.status} is longer than 64 KiB`);
  }
}

function failed(message: string, cause?: unknown): DocketError {
  return new DocketError('WEBHOOK_FAILED', message, { cause });
}

/** What fetch says is in its cause: a code of the system or of TLS, else a sentence. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException).code;
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}
