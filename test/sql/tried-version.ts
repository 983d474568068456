import type pg from 'pg';
import type { Stage } from './stage.ts';

/** Records a trial of an OCR configuration that has ended, in which one published document was compared, as a worker's would be. */
export async function triedVersion(stage: Stage, version: number): Promise<void> {
  const job = await stage.published();
  await endedTrial(stage.db, version, job, stage.config);
}

/** A trial that has ended; without a job it compared nothing. */
export async function endedTrial(
  db: pg.Pool,
  version: number,
  job?: string,
  config?: Buffer,
): Promise<number> {
  const { rows } = await db.query<{ trial_id: number }>(
    `insert into docket.ocr_trials (ocr_version, reason, started_by, documents, ended_at)
     values ($1, 'a test', 'olga', 1, clock_timestamp()) returning trial_id`,
    [version],
  );
  const trial = rows[0]!.trial_id;
  if (job !== undefined) {
    await db.query(
      `insert into docket.trial_comparisons
         (trial_id, job_id, published_sha256, config_sha256, pages_before, pages_after, characters_before, characters_after,
          character_edits, words_before, words_after, words_kept, fields_before, fields_after, fields_kept,
          confidence_before, confidence_after, seconds_after, pages)
       values ($1, $2, sha256('published'), $3, 1, 1, 20, 20, 0, 4, 4, 4, 0, 0, 0, 90, 91, 0.5, '[]')`,
      [trial, job, config],
    );
  }
  return trial;
}
