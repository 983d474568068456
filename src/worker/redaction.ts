import type { RedactRecognition } from '../attempts/define-task.ts';
import type { Queryable } from '../db/commands.ts';
import type { Log } from '../log.ts';
import { redactDue } from '../redaction/redact-due.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { createRuleSets } from '../redaction/rule-sets.ts';
import { startLoop } from './loop.ts';

/** Redaction in a worker process: of what it has just recognised, and of what is still to be done. */
export interface Redaction {
  /** Redacts a recognition by the active rules on its way to the database. */
  redact: RedactRecognition;
  /** Resolves when a round under way is over. Never rejects. */
  stop(): Promise<void>;
}

/** Above so many words a document is redacted page by page, after it was stored. */
const MOST_WORDS = 20_000;

/** Starts the loop that redacts published documents by every rule set that is wanted. */
export function startRedaction(db: Queryable, log: Log): Redaction {
  const ruleSets = createRuleSets(db, log);
  const redactor = createRedactor(log);
  const loop = startLoop({
    name: 'redact',
    everyMs: 100,
    idleMs: 1_000,
    log,
    round: () => redactDue(db, { ruleSets, redactor }),
  });
  return {
    async redact({ jobId }, documentKind, { pages }) {
      const ruleSet = ruleSets.active();
      const words = pages.reduce((sum, page) => sum + page.words.length, 0);
      if (ruleSet === undefined || words > MOST_WORDS) return undefined;
      const made = await Promise.all(
        pages.map(async (page) => {
          const { pageNo } = page;
          const redacted = await redactor.redact(page, { ruleSet, documentKind, jobId, pageNo });
          return redacted && { pageNo, ...redacted };
        }),
      );
      const redacted = made.filter((page) => page !== undefined);
      if (redacted.length < pages.length) return undefined;
      return { ruleSetId: ruleSet.id, pages: redacted };
    },
    stop: () => loop.stop(),
  };
}
