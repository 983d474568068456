import { sql } from 'kysely';
import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

const MOST_LISTED = 200;

interface RereadingRow {
  rereading: string;
  job_id: string;
  ocr_version: number;
  outcome: string | null;
  code: string | null;
  tries: number;
  ordered_at: string;
  ordered_by: string;
  ended_at: string | null;
  reason: string;
}

export default defineVerb({
  usage: 'ocr rereadings',
  summary: 'Count documents that are or were read again to supersede what is published, and list the newest.',
  options: [['--open', 'only those that have not ended']],
  input: z.strictObject({ open: z.boolean().default(false) }),
  run: ({ open }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const { rows: counts } = await sql<{ ocr_version: number; outcome: string; documents: number }>`
        select r.ocr_version, coalesce(r.outcome, 'waiting') as outcome, count(*)::float8 as documents
        from docket.rereadings r
        where r.trial_id is null
        group by 1, 2
        order by 1, 2`.execute(reader);
      const { rows } = await sql<RereadingRow>`
        select r.rereading_id as rereading, r.job_id, r.ocr_version, r.outcome, r.code, r.tries, r.ordered_at, r.ordered_by,
          r.ended_at, r.reason
        from docket.rereadings r
        where r.trial_id is null and (not ${open}::boolean or r.ended_at is null)
        order by r.rereading_id desc
        limit ${MOST_LISTED}`.execute(reader);
      const rereadings = rows.map((row) => ({
        ...row,
        ordered_at: isoTime(row.ordered_at),
        ended_at: isoTime(row.ended_at),
      }));
      return {
        json: { counts, rereadings },
        text:
          counts.length === 0
            ? 'Nothing was read again yet. To do it: docket ocr reread JOB --version NUMBER --reason WHY'
            : [
                textTable(
                  ['configuration', 'outcome', 'documents'],
                  counts.map((one) => [one.ocr_version, one.outcome, one.documents]),
                ),
                ...(rereadings.length === 0
                  ? []
                  : [
                      '',
                      textTable(
                        [
                          'document',
                          'configuration',
                          'outcome',
                          'code',
                          'tries',
                          'ordered',
                          'by',
                          'ended',
                          'reason',
                        ],
                        rereadings.map((one) => [
                          one.job_id,
                          one.ocr_version,
                          one.outcome ?? 'waiting',
                          one.code,
                          one.tries,
                          one.ordered_at,
                          one.ordered_by,
                          one.ended_at,
                          one.reason,
                        ]),
                      ),
                    ]),
              ].join('\n'),
      };
    }),
});
