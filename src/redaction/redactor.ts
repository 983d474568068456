import type { ReadPage, RedactedPage } from '../domain/redaction/redact-page.ts';
import { redactPage } from '../domain/redaction/redact-page.ts';
import type { Log } from '../log.ts';
import { RunAway, withinTime } from './bounded-time.ts';
import type { RuleSet } from './rule-sets.ts';

/** Applies rule sets to pages without ever holding up the process. */
export interface Redactor {
  /** The page as the rules leave it; undefined when that took too long or failed: then nobody may see it. */
  redact(page: ReadPage, of: PageOfJob): Promise<RedactedPage | undefined>;
  /** Whether a set is left alone for now. */
  isPaused(ruleSetId: number): boolean;
}

interface PageOfJob {
  ruleSet: RuleSet;
  documentKind: string;
  jobId: string;
  pageNo: number;
}

interface WaitingPage {
  page: ReadPage;
  of: PageOfJob;
  settle: (redacted: RedactedPage | undefined) => void;
}

/** A page takes some milliseconds; on a busy machine the clock runs on while others work. */
const PAGE_WITHIN_MS = 3_000;
/** Others have their turn after so long. */
const ROUND_MS = 10;
/** A set that ran away so often in succession is left alone for a while. */
const MOST_RUN_AWAYS = 3;
const PAUSE_MS = 60_000;

/**
 * Makes a redactor; a page that takes too long, or cannot be redacted, is reported. Pages that wait at the same time are
 * redacted in one round, because to watch over the time costs more than a small page.
 */
export function createRedactor(
  log: Log,
  { pageWithinMs = PAGE_WITHIN_MS, now = () => performance.now() } = {},
): Redactor {
  const runAways = new Map<number, { count: number; pausedUntilMs: number }>();
  const isPaused = (ruleSetId: number) => now() < (runAways.get(ruleSetId)?.pausedUntilMs ?? 0);
  let waiting: WaitingPage[] = [];

  function round(): void {
    const pages = waiting;
    const begunMs = performance.now();
    let done = 0;
    try {
      withinTime(pageWithinMs + ROUND_MS, () => {
        for (const { page, of, settle } of pages) {
          settle(isPaused(of.ruleSet.id) ? undefined : redactPage(page, of.ruleSet.rules, of.documentKind));
          done += 1;
          if (performance.now() - begunMs >= ROUND_MS) break;
        }
      });
    } catch (err) {
      const failed = pages[done];
      if (failed) report(err, failed.of);
      failed?.settle(undefined);
      done += 1;
    }
    waiting = pages.slice(done);
    if (waiting.length > 0) setImmediate(round);
  }

  /** A pattern may run away or need more memory than there is: the other pages are redacted all the same. */
  function report(err: unknown, { ruleSet, jobId, pageNo }: PageOfJob): void {
    const count = (runAways.get(ruleSet.id)?.count ?? 0) + 1;
    runAways.set(ruleSet.id, { count, pausedUntilMs: count >= MOST_RUN_AWAYS ? now() + PAUSE_MS : 0 });
    log.error(
      { err, job: jobId, page: pageNo, ruleSet: ruleSet.name, isPaused: isPaused(ruleSet.id) },
      err instanceof RunAway
        ? 'a page takes too long to redact; it stays hidden'
        : 'a page cannot be redacted; it stays hidden',
    );
  }

  return {
    isPaused,
    async redact(page, of) {
      if (isPaused(of.ruleSet.id)) return undefined;
      const redacted = await new Promise<RedactedPage | undefined>((settle) => {
        if (waiting.length === 0) setImmediate(round);
        waiting.push({ page, of, settle });
      });
      if (redacted) runAways.delete(of.ruleSet.id);
      return redacted;
    },
  };
}
