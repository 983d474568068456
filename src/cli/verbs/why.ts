import { z } from 'zod';
import type { Queryable } from '../../db/commands.ts';
import { whyJob, whySource } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { jobArgument } from '../job-argument.ts';
import { printable } from '../printable.ts';
import { defineVerb } from '../verb.ts';

/** A document by its id or hash, or else a source by its name. */
const subject = z.union([
  jobArgument.transform((jobId) => ({ job_id: jobId })),
  z.string().transform((sourceId) => ({ source_id: sourceId })),
]);

export default defineVerb({
  usage: 'why <subject>',
  summary: 'Say what a document (id or SHA-256) or a source waits for, since when, and what would help.',
  input: z.strictObject({ subject }),
  run: ({ subject: asked }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      const pool: Queryable = as('docket_auditor');
      const rows =
        'job_id' in asked
          ? await whyJob(pool, { jobId: asked.job_id })
          : await whySource(pool, { sourceId: asked.source_id });
      const reasons = rows.map((row) => ({ ...row, since: isoTime(row.since) }));
      return {
        json: { ...asked, reasons },
        text: reasons.map(paragraph).join('\n\n') || 'Nothing of it waits.',
      };
    }),
});

function paragraph(reason: {
  fact: string;
  since: string | null;
  would_help: string | null;
  next_command: string;
}): string {
  return [
    printable(reason.fact),
    ...(reason.since === null ? [] : [`  since      ${reason.since}`]),
    ...(reason.would_help === null ? [] : [`  would help ${printable(reason.would_help)}`]),
    `  next       ${printable(reason.next_command)}`,
  ].join('\n');
}
