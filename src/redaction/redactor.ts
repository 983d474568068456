import { setImmediate } from 'node:timers/promises';
import type { ReadPage, RedactedPage } from '../domain/redaction/redact-page.ts';
import { redactPage } from '../domain/redaction/redact-page.ts';
import type { Log } from '../log.ts';
import { RunAway, withinTime } from './bounded-time.ts';
import type { RuleSet } from './rule-sets.ts';

/** Applies rule sets to pages without ever holding up the process. */
export interface Redactor {
  /** The page as the rules leave it; undefined when that took too long: then nobody may see it. */
  redact(
    page: ReadPage,
    of: { ruleSet: RuleSet; documentKind: string; jobId: string; pageNo: number },
  ): Promise<RedactedPage | undefined>;
}

/** A page takes some milliseconds. */
const PAGE_WITHIN_MS = 1_000;
/** A set that ran away so often in succession is left alone for a while. */
const MOST_RUN_AWAYS = 3;
const PAUSE_MS = 60_000;

/** Makes a redactor; a page or rule set that takes too long is reported. */
export function createRedactor(
  log: Log,
  { pageWithinMs = PAGE_WITHIN_MS, now = () => performance.now() } = {},
): Redactor {
  const runAways = new Map<number, { count: number; pausedUntilMs: number }>();
  return {
    async redact(page, { ruleSet, documentKind, jobId, pageNo }) {
      const { count = 0, pausedUntilMs = 0 } = runAways.get(ruleSet.id) ?? {};
      if (now() < pausedUntilMs) return undefined;
      // others have their turn between two pages
      await setImmediate();
      try {
        const redacted = withinTime(pageWithinMs, () => redactPage(page, ruleSet.rules, documentKind));
        runAways.delete(ruleSet.id);
        return redacted;
      } catch (err) {
        if (!(err instanceof RunAway)) throw err;
        const isPaused = count + 1 >= MOST_RUN_AWAYS;
        runAways.set(ruleSet.id, { count: count + 1, pausedUntilMs: isPaused ? now() + PAUSE_MS : 0 });
        log.error(
          { err, job: jobId, page: pageNo, ruleSet: ruleSet.name, isPaused },
          'a page takes too long to redact; it stays hidden',
        );
        return undefined;
      }
    },
  };
}
