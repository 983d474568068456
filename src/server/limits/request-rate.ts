import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DocketError } from '../../errors.ts';

/** Counts what each bearer of tokens asks, whichever way they ask it. Every server process counts for itself. */
export interface RequestRate {
  /** Counts one request. @throws DocketError TOO_MANY_REQUESTS, whose data say after how many seconds there is room. */
  count(subject: string): Promise<void>;
}

export function createRequestRate(perMinute: number): RequestRate {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return {
    async count(subject) {
      try {
        await limiter.consume(subject);
      } catch (left) {
        if (!(left instanceof RateLimiterRes)) throw left;
        throw new DocketError('TOO_MANY_REQUESTS', `more than ${perMinute} requests a minute`, {
          data: { retryAfterSeconds: Math.ceil(left.msBeforeNext / 1000) },
        });
      }
    },
  };
}
