import { inspect } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Waits until `look` gives something truthy and returns it. Looks every 20 ms unless told otherwise.
 * Fails after `withinMs` (default 30 s) with `what`, as a sentence ("the job is published"), and what was seen last.
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen as Truthy<T>;
    if (performance.now() > deadline) {
      throw new Error(`not within ${String(withinMs)} ms: ${what} (last seen: ${inspect(seen)})`);
    }
    await delay(everyMs);
  }
}
