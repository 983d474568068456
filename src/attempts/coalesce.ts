import DataLoader from 'dataloader';
import { isUnavailable } from '../db/errors.ts';

/** Parameters of one command are arrays of this length at most, so that no statement grows without limit. */
const LARGEST_BATCH = 250;

/**
 * Turns a call on many keys into a function of one key. One call is under way at a time: keys that come meanwhile wait for
 * it and then travel together, so that the busier a process is, the more share a statement and a commit.
 * Nothing is cached. When a shared call fails, each of its keys is tried again alone, so that one bad job fails by
 * itself and not the others with it; when the database is unreachable that would be no use, and all fail.
 * `call` answers in the order of its keys.
 */
export function coalesce<Key, Answer>(
  call: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  let isUnderWay = false;
  const waiting: (() => void)[] = [];
  const schedule = (dispatch: () => void) => {
    if (isUnderWay) return void waiting.push(dispatch);
    isUnderWay = true;
    setImmediate(dispatch);
  };
  const next = () => {
    isUnderWay = false;
    const dispatch = waiting.shift();
    if (dispatch) schedule(dispatch);
  };
  const loader = new DataLoader<Key, Answer>(
    async (keys) => {
      try {
        return await call(keys);
      } catch (error) {
        if (keys.length === 1 || isUnavailable(error)) throw error;
        return await oneByOne(keys, call);
      } finally {
        next();
      }
    },
    { cache: false, maxBatchSize: LARGEST_BATCH, batchScheduleFn: schedule },
  );
  return (key) => loader.load(key);
}

async function oneByOne<Key, Answer>(
  keys: readonly Key[],
  call: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): Promise<(Answer | Error)[]> {
  const answers: (Answer | Error)[] = [];
  for (const key of keys) {
    try {
      answers.push(...(await call([key])));
    } catch (error) {
      answers.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return answers;
}
