import type { ServerResponse } from 'node:http';
import { DocketError } from '../../errors.ts';
import { createTally } from './tally.ts';

/** Bounds what is kept in memory for those who ask and do not read. */
export interface Unread {
  /** Counts an answer until it is read. @throws DocketError TOO_MANY_REQUESTS where it would be too much. */
  count(subject: string, response: ServerResponse, bytes: number): void;
}

/** Of one subject: what the largest answers to single operations come to. */
const MOST_BYTES = 64 * 1024 * 1024;

export function createUnread(): Unread {
  const unread = createTally();
  return {
    count(subject, response, bytes) {
      const others = unread.of(subject);
      if (others > 0 && others + bytes > MOST_BYTES) {
        throw new DocketError('TOO_MANY_REQUESTS', 'earlier answers are still to be read', {
          data: { retryAfterSeconds: 5 },
        });
      }
      response.once('close', unread.add(subject, bytes));
    },
  };
}
