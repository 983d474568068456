import { sql } from 'kysely';
import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

interface TrialRow {
  trial: number;
  ocr_version: number;
  documents: number;
  ended: number;
  compared: number;
  would_fail: number;
  started_at: string;
  started_by: string;
  ended_at: string | null;
  reason: string;
}

export default defineVerb({
  usage: 'ocr trial list',
  summary: 'List trials of OCR configurations, the newest first.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const { rows } = await sql<TrialRow>`
        select t.trial_id as trial, t.ocr_version, t.documents, t.started_at, t.started_by, t.ended_at, t.reason,
          (select count(*) from docket.rereadings r where r.trial_id = t.trial_id and r.ended_at is not null)::float8 as ended,
          c.compared, c.would_fail
        from docket.ocr_trials t
        cross join lateral (
          select count(*)::float8 as compared, (count(*) filter (where m.failed_gates <> '{}'))::float8 as would_fail
          from docket.trial_comparisons m
          where m.trial_id = t.trial_id
        ) as c
        order by t.trial_id desc`.execute(reader);
      const trials = rows.map((row) => ({
        ...row,
        started_at: isoTime(row.started_at),
        ended_at: isoTime(row.ended_at),
      }));
      return {
        json: { trials },
        text:
          textTable(
            [
              'trial',
              'configuration',
              'documents',
              'compared',
              'would fail',
              'started',
              'by',
              'ended',
              'reason',
            ],
            trials.map((one) => [
              one.trial,
              one.ocr_version,
              one.documents,
              one.compared,
              one.would_fail,
              one.started_at,
              one.started_by,
              one.ended_at ?? `${one.documents - one.ended} wait`,
              one.reason,
            ]),
          ) || 'There was no trial yet. Start one: docket ocr trial NUMBER --count 20 --reason WHY',
      };
    }),
});
