import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/rows.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { jobArgument } from '../job-argument.ts';
import { printable } from '../printable.ts';
import { signatureOf } from '../signature-of.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'signatures <job>',
  summary:
    'Show every signature of a document: what it was found to be, over which bytes, against which anchor.',
  input: z.strictObject({ job: jobArgument }),
  run: ({ job }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const { statement, ...summary } = await signatureOf(reader, job);
      const signatures = await listSignatures(reader, job);
      const tables = [
        textTable(
          [
            'no',
            'place',
            'delivery',
            'format',
            'status',
            'coverage',
            'intact',
            'digest',
            'signer',
            'anchor',
            'signed at',
            'judged for',
          ],
          signatures.map((one) => [
            one.signature_no,
            one.purpose === 'timestamp' ? `${one.place} (time-stamp)` : one.place,
            one.delivery_id,
            one.format,
            one.status,
            one.coverage,
            yesOrNo(one.is_intact),
            yesOrNo(one.digest_matches),
            one.signer,
            one.anchor,
            one.signed_at && `${one.signed_at} by the ${one.signed_at_by}`,
            one.judged_at,
          ]),
        ),
        textTable(
          ['no', 'place', 'delivery', 'noticed'],
          signatures
            .filter((one) => (one.findings ?? []).length > 0)
            .map((one) => [one.signature_no, one.place, one.delivery_id, (one.findings ?? []).join(', ')]),
        ),
      ];
      return {
        json: { job_id: job, statement, ...summary, signatures },
        text: [printable(statement), ...tables.filter((table) => table !== '')].join('\n\n'),
      };
    }),
});

async function listSignatures(db: Kysely<Database>, job: string) {
  const rows = await db
    .selectFrom('docket.document_signatures')
    .selectAll()
    .where('job_id', '=', job)
    .orderBy('delivery_id')
    .orderBy('place', 'desc')
    .orderBy('signature_no')
    .execute();
  return rows.map(({ job_id: _job, rank: _rank, report, signer_sha256: sha256, ...row }) => ({
    ...row,
    signer_sha256: sha256?.toString('hex') ?? null,
    signed_at: isoTime(row.signed_at),
    judged_at: isoTime(row.judged_at),
    checked_at: isoTime(row.checked_at),
    details: (JSON.parse(report ?? '{}') as { details?: unknown }).details ?? {},
  }));
}

/** What could not be computed is neither. */
function yesOrNo(answer: boolean | null): string {
  return answer === null ? '' : answer ? 'yes' : 'no';
}
