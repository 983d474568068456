import * as commands from '../db/commands.ts';
import type { PageWord, ReadPage } from '../domain/redaction/redact-page.ts';
import type { Redactor } from './redactor.ts';
import type { RuleSets } from './rule-sets.ts';

/** What one round takes: so many documents, and so many bytes of text and words over all of them. */
const DOCUMENTS = 50;
const BYTES = 2_000_000;

/**
 * Redacts some of the pages that are due, and stores what became of them; says whether there were any. What is larger than a
 * round is gone on with in the next, here or in another process.
 */
export async function redactDue(
  db: commands.Queryable,
  {
    ruleSets,
    redactor,
    documents = DOCUMENTS,
    bytes = BYTES,
  }: { ruleSets: RuleSets; redactor: Redactor; documents?: number; bytes?: number },
): Promise<boolean> {
  await ruleSets.refresh();
  const applicable = ruleSets.applicable().filter((id) => !redactor.isPaused(id));
  const claimed = await commands.claimRedactions(db, { limit: documents, bytes, ruleSets: applicable });
  const redacted = await Promise.all(
    claimed.map(async (row) => {
      if (isWhole(row)) return { row, text: '', words: '[]', masks: '[]' };
      const ruleSet = ruleSets.byId(row.rule_set_id);
      if (ruleSet === undefined) return undefined;
      const { job_id: jobId, document_kind: documentKind, page_no: pageNo } = row;
      const page = await redactor.redact(toPage(row), { ruleSet, documentKind, jobId, pageNo });
      if (page === undefined) return undefined;
      return { row, text: page.text, words: JSON.stringify(page.words), masks: JSON.stringify(page.masks) };
    }),
  );
  const done = redacted.filter((one) => one !== undefined);
  if (done.length === 0) return false;
  await commands.recordRedactions(db, {
    ruleSets: done.map(({ row }) => row.rule_set_id),
    jobs: done.map(({ row }) => row.job_id),
    attempts: done.map(({ row }) => row.attempt),
    pageNos: done.map(({ row }) => row.page_no),
    texts: done.map(({ text }) => text),
    words: done.map(({ words }) => words),
    masks: done.map(({ masks }) => masks),
  });
  return true;
}

/** A document of which no page is missing is only to be noted. */
function isWhole(row: { page_no: number | null }): boolean {
  return row.page_no === null;
}

function toPage(row: commands.ClaimRedactionsRow): ReadPage {
  return {
    width: row.width_px,
    height: row.height_px,
    rotation: row.rotation_degrees as ReadPage['rotation'],
    text: row.text,
    words: row.words as PageWord[],
  };
}
