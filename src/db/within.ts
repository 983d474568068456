import { DocketError } from '../errors.ts';

/** The outcome of a promise, or a DATABASE_TIMEOUT rejection after so many milliseconds. What was begun is not undone. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DocketError('DATABASE_TIMEOUT', `no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
