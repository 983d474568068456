// What a trial says of an OCR configuration, and no more than that.
import { textDiffers, trialTotals, type ComparedDocument, type TrialTotals } from './trial-totals.ts';

/** A document of a trial. */
export interface TriedDocument {
  readonly jobId: string;
  readonly kind: string;
  /** compared; failed, disposed or another end without a comparison; null: it waits, or is being read. */
  readonly outcome: string | null;
  /** Why it could not be read. */
  readonly code: string | null;
  readonly compared: ComparedDocument | undefined;
}

/**
 * `under_way`: some still wait. `nothing`: it has ended, and nothing was compared. `worse`: documents that are published could not be
 * read, or would be quarantined. `looks_worse`, `looks_better`: by confidence and by how much was read, which is not the truth.
 * `same`: to the letter. `differs`: neither.
 */
export type Verdict = 'under_way' | 'nothing' | 'worse' | 'looks_worse' | 'same' | 'differs' | 'looks_better';

export interface Judgement {
  readonly verdict: Verdict;
  /** The verdict in a sentence or two. */
  readonly statement: string;
  /** Of all documents that were compared. */
  readonly totals: TrialTotals;
}

/** Points of mean confidence that are more than chance; no more is claimed by them than a look. */
const CONFIDENCE_TELLS = 1;
/** With fewer words than this share of what was published something is not read any more. */
const WORDS_MISSING = 0.95;
const AS_MANY_WORDS = 0.98;

/** Adds up what was compared of documents. */
export function totalsOf(documents: readonly TriedDocument[]): TrialTotals {
  return trialTotals(documents.flatMap(({ compared }) => (compared ? [compared] : [])));
}

/** The same by kind of document, in the order of their names; of a kind of which nothing was compared too. */
export function totalsByKind(documents: readonly TriedDocument[]): [kind: string, totals: TrialTotals][] {
  return [...Map.groupBy(documents, ({ kind }) => kind)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, of]) => [kind, totalsOf(of)]);
}

/** Judges a trial by its documents. `version` is the OCR configuration that is tried. */
export function judgeTrial(version: number, documents: readonly TriedDocument[]): Judgement {
  const totals = totalsOf(documents);
  const waiting = documents.filter(({ outcome }) => outcome === null).length;
  const unread = documents.filter(({ outcome, code }) => outcome === 'failed' && isOfTheEngine(code));
  const others = documents.length - waiting - unread.length - totals.documents;
  const [verdict, sentence] = verdictOf(version, totals, unread);
  const sentences = [sentence];
  if (others > 0)
    sentences.push(`${count(others, 'document')} could not be compared, which says nothing of it.`);
  if (waiting === 0 || verdict === 'worse') {
    if (waiting > 0) sentences.push(`${waiting} of ${count(documents.length, 'document')} still wait.`);
    return { verdict, statement: sentences.join(' '), totals };
  }
  return {
    verdict: 'under_way',
    statement: `Under way: ${totals.documents} of ${count(documents.length, 'document')} are compared.`,
    totals,
  };
}

function verdictOf(
  version: number,
  totals: TrialTotals,
  unread: readonly TriedDocument[],
): [Verdict, string] {
  const { documents, failing, wordsBefore, wordsAfter, pagesBefore, pagesAfter } = totals;
  if (unread.length > 0 || failing > 0) {
    const codes = Object.entries(totals.failedGates).map(([code, times]) => `${code} ${times}`);
    return [
      'worse',
      `Worse: of ${count(documents + unread.length, 'document')} that ${documents + unread.length === 1 ? 'is' : 'are'} published, ` +
        [
          failing > 0 && `${failing} would be quarantined (${codes.join(', ')})`,
          unread.length > 0 &&
            `${unread.length} could not be read (${[...new Set(unread.map(({ code }) => code))].join(', ')})`,
        ]
          .filter((part) => part !== false)
          .join(', and ') +
        '.',
    ];
  }
  if (documents === 0) return ['nothing', 'Nothing could be compared.'];
  if (totals.characterEdits === 0 && wordsBefore === wordsAfter && pagesBefore === pagesAfter) {
    return [
      'same',
      `The same: OCR configuration ${version} reads ${count(documents, 'document')} to the letter as published.`,
    ];
  }
  const gain = totals.confidenceAfter - totals.confidenceBefore;
  const differing = differences(totals);
  if (gain <= -CONFIDENCE_TELLS || wordsAfter < wordsBefore * WORDS_MISSING || pagesAfter < pagesBefore) {
    return ['looks_worse', `Looks worse: ${differing}`];
  }
  if (gain >= CONFIDENCE_TELLS && wordsAfter >= wordsBefore * AS_MANY_WORDS) {
    return ['looks_better', `Looks better: ${differing}`];
  }
  return ['differs', `Differs, and confidence does not tell which is better: ${differing}`];
}

function differences(totals: TrialTotals): string {
  const lost = totals.fieldsBefore - totals.fieldsKept;
  return (
    `${inPercent(textDiffers(totals))} of the text and ${lost} of ${totals.fieldsBefore} numbers, dates and weights are read otherwise; ` +
    `confidence ${totals.confidenceBefore.toFixed(1)} → ${totals.confidenceAfter.toFixed(1)}, ` +
    `words ${totals.wordsBefore} → ${totals.wordsAfter}. ` +
    'Which reading is right only the paper tells.'
  );
}

/** The worst first: what could not be read, what would be quarantined, then by fields and by text that differ. */
export function worstFirst(documents: readonly TriedDocument[]): TriedDocument[] {
  const rank = ({ outcome, compared }: TriedDocument) => {
    if (!compared) return outcome === 'failed' ? 3 : -1;
    return compared.failedGates.length > 0 ? 2 : 1;
  };
  const fields = ({ compared }: TriedDocument) =>
    compared ? compared.fieldsBefore - compared.fieldsKept : 0;
  const text = ({ compared }: TriedDocument) => (compared ? textDiffers(compared) : 0);
  return documents.toSorted(
    (a, b) => rank(b) - rank(a) || fields(b) - fields(a) || text(b) - text(a) || (a.jobId < b.jobId ? -1 : 1),
  );
}

/** Whether a failure is one of reading, and not of fetching what is read. */
function isOfTheEngine(code: string | null): boolean {
  return code !== null && /^(OCR_|CRASH_LOOP$)/.test(code) && code !== 'OCR_VERSION_WITHDRAWN';
}

function count(of: number, thing: string): string {
  return `${of} ${thing}${of === 1 ? '' : 's'}`;
}

/** A share in per cent, with as many digits as tell it from nothing. */
export function inPercent(share: number): string {
  const value = share * 100;
  if (value === 0) return '0 %';
  return value < 0.1 ? '< 0.1 %' : `${value.toFixed(1)} %`;
}
