import { setImmediate } from 'node:timers/promises';
import type { ReadPage, RedactedPage } from '../domain/redaction/redact-page.ts';
import { redactPage } from '../domain/redaction/redact-page.ts';
import type { Log } from '../log.ts';
import { RunAway, withinTime } from './bounded-time.ts';
import type { RuleSet } from './rule-sets.ts';

/** Applies rule sets to pages without ever holding up the process. */
export interface Redactor {
  /** The page as the rules leave it; undefined when that took too long or failed: then nobody may see it. */
  redact(
    page: ReadPage,
    of: { ruleSet: RuleSet; documentKind: string; jobId: string; pageNo: number },
  ): Promise<RedactedPage | undefined>;
  /** Whether a set is left alone for now. */
  isPaused(ruleSetId: number): boolean;
}

/** A page takes some milliseconds. */
const PAGE_WITHIN_MS = 1_000;
/** A set that ran away so often in succession is left alone for a while. */
const MOST_RUN_AWAYS = 3;
const PAUSE_MS = 60_000;

/** Makes a redactor; a page that takes too long, or cannot be redacted, is reported. */
export function createRedactor(
  log: Log,
  { pageWithinMs = PAGE_WITHIN_MS, now = () => performance.now() } = {},
): Redactor {
  const runAways = new Map<number, { count: number; pausedUntilMs: number }>();
  const isPaused = (ruleSetId: number) => now() < (runAways.get(ruleSetId)?.pausedUntilMs ?? 0);
  return {
    isPaused,
    async redact(page, { ruleSet, documentKind, jobId, pageNo }) {
      if (isPaused(ruleSet.id)) return undefined;
      // others have their turn between two pages
      await setImmediate();
      try {
        const redacted = withinTime(pageWithinMs, () => redactPage(page, ruleSet.rules, documentKind));
        runAways.delete(ruleSet.id);
        return redacted;
      } catch (err) {
        // a pattern may also need more memory than there is: the others of the round are redacted all the same
        const count = (runAways.get(ruleSet.id)?.count ?? 0) + 1;
        runAways.set(ruleSet.id, { count, pausedUntilMs: count >= MOST_RUN_AWAYS ? now() + PAUSE_MS : 0 });
        log.error(
          { err, job: jobId, page: pageNo, ruleSet: ruleSet.name, isPaused: isPaused(ruleSet.id) },
          err instanceof RunAway
            ? 'a page takes too long to redact; it stays hidden'
            : 'a page cannot be redacted; it stays hidden',
        );
        return undefined;
      }
    },
  };
}
