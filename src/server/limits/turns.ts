import { DocketError } from '../../errors.ts';

/** Shares the connections of the database: one bearer of tokens never has all of them, however much they ask at once. */
export interface Turns {
  /** Runs `use` when it is the subject's turn. @throws DocketError TOO_MANY_REQUESTS where too much is waiting already. */
  take<Result>(subject: string, use: () => Promise<Result>): Promise<Result>;
}

/** What one subject may have waiting: what a few large operations ask for. */
const MOST_WAITING = 200;

export function createTurns(atOnce: number): Turns {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async take(subject, use) {
      const line = lines.get(subject) ?? { running: 0, waiting: [] };
      lines.set(subject, line);
      if (line.running < atOnce) {
        line.running += 1;
      } else {
        if (line.waiting.length >= MOST_WAITING) {
          throw new DocketError('TOO_MANY_REQUESTS', 'too many questions at once', {
            data: { retryAfterSeconds: 5 },
          });
        }
        await new Promise<void>((resolve) => line.waiting.push(resolve));
      }
      try {
        return await use();
      } finally {
        // Handed on to whoever waits longest, or given back.
        const next = line.waiting.shift();
        if (next) next();
        else if ((line.running -= 1) === 0) lines.delete(subject);
      }
    },
  };
}
