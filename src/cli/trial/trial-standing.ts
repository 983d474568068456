import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { pagesOfJson } from '../../domain/comparison/comparison-json.ts';
import { worstFirst, type TriedDocument } from '../../domain/comparison/judge-trial.ts';
import { DocketError } from '../../errors.ts';
import { isoTime } from '../iso-time.ts';

/** A trial, so far. */
export interface Trial {
  readonly trial: number;
  /** OCR configuration that is tried. */
  readonly version: number;
  readonly reason: string;
  readonly startedBy: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly documents: readonly TriedDocument[];
}

/** One trial with its documents, without their pages. Throws TRIAL_NOT_FOUND where there is none of that number. */
export async function trialStanding(reader: Kysely<Database>, trial: number): Promise<Trial> {
  const begun = await reader
    .selectFrom('docket.ocr_trials')
    .selectAll()
    .where('trial_id', '=', trial)
    .executeTakeFirst();
  if (!begun) {
    throw new DocketError('TRIAL_NOT_FOUND', `there is no trial ${trial}`, { hint: 'docket ocr trial list' });
  }
  const rows = await reader
    .selectFrom('docket.rereadings as r')
    .innerJoin('docket.jobs as j', 'j.job_id', 'r.job_id')
    .leftJoin('docket.trial_comparisons as c', (join) =>
      join.onRef('c.trial_id', '=', 'r.trial_id').onRef('c.job_id', '=', 'r.job_id'),
    )
    .select(['r.job_id', 'j.document_kind', 'r.outcome', 'r.code'])
    .select([
      ...(['c.pages_before', 'c.pages_after', 'c.characters_before', 'c.characters_after'] as const),
      ...(['c.character_edits', 'c.words_before', 'c.words_after', 'c.words_kept'] as const),
      ...(['c.fields_before', 'c.fields_after', 'c.fields_kept'] as const),
      ...(['c.confidence_before', 'c.confidence_after', 'c.seconds_before', 'c.seconds_after'] as const),
      'c.failed_gates',
    ])
    .where('r.trial_id', '=', trial)
    .orderBy('r.job_id')
    .execute();
  return {
    trial,
    version: begun.ocr_version,
    reason: begun.reason,
    startedBy: begun.started_by,
    startedAt: isoTime(begun.started_at),
    endedAt: isoTime(begun.ended_at),
    documents: rows.map((row) => ({
      jobId: row.job_id,
      kind: row.document_kind,
      outcome: row.outcome,
      code: row.code,
      compared: comparedOf(row),
    })),
  };
}

/** The trial with the pages of those documents that differ most, so many of them. */
export async function withPages(reader: Kysely<Database>, trial: Trial, most: number): Promise<Trial> {
  const worst = worstFirst(trial.documents).flatMap(({ jobId, compared }) => (compared ? [jobId] : []));
  const rows = await reader
    .selectFrom('docket.trial_comparisons')
    .select(['job_id', 'pages'])
    .where('trial_id', '=', trial.trial)
    .where('job_id', 'in', [...worst.slice(0, most), NO_JOB])
    .execute();
  const pages = new Map(rows.map((row) => [row.job_id, pagesOfJson(row.pages)]));
  return {
    ...trial,
    documents: trial.documents.map((document) => ({
      ...document,
      compared: document.compared && { ...document.compared, pages: pages.get(document.jobId) ?? [] },
    })),
  };
}

/** A list of none is no SQL. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

type Counted = Record<
  | ('pages_before' | 'pages_after' | 'characters_before' | 'characters_after' | 'character_edits')
  | ('words_before' | 'words_after' | 'words_kept' | 'fields_before' | 'fields_after' | 'fields_kept')
  | ('confidence_before' | 'confidence_after' | 'seconds_before' | 'seconds_after'),
  number | null
> & { failed_gates: string[] | null };

function comparedOf(row: Counted): TriedDocument['compared'] {
  if (row.seconds_after === null) return undefined;
  return {
    pagesBefore: row.pages_before ?? 0,
    pagesAfter: row.pages_after ?? 0,
    charactersBefore: row.characters_before ?? 0,
    charactersAfter: row.characters_after ?? 0,
    characterEdits: row.character_edits ?? 0,
    wordsBefore: row.words_before ?? 0,
    wordsAfter: row.words_after ?? 0,
    wordsKept: row.words_kept ?? 0,
    fieldsBefore: row.fields_before ?? 0,
    fieldsAfter: row.fields_after ?? 0,
    fieldsKept: row.fields_kept ?? 0,
    confidenceBefore: row.confidence_before ?? 0,
    confidenceAfter: row.confidence_after ?? 0,
    secondsBefore: row.seconds_before,
    secondsAfter: row.seconds_after,
    failedGates: row.failed_gates ?? [],
    pages: [],
  };
}
