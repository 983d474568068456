import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import type { Answer } from './answer.ts';
import { disputeOf } from './dispute-of.ts';
import { isoTime } from './iso-time.ts';
import { unknownJob } from './job-argument.ts';
import { printable } from './printable.ts';
import { historyText, resultHistory } from './result-history.ts';
import { signatureOf } from './signature-of.ts';
import { textTable } from './text-table.ts';

/** What only the sender knows. */
const STATED = new Set(['captured_at']);
const AS_STATED = ' (as stated by the sender)';

/** All about one document: whether it is signed, its overview, why it failed and what to do about it, its attempts, and
 * the results that were superseded. */
export async function jobStatus(reader: Kysely<Database>, jobId: string): Promise<Answer> {
  const overview = await reader
    .selectFrom('docket.document_overview')
    .selectAll()
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  if (!overview) throw unknownJob(jobId);
  const signature = await signatureOf(reader, jobId);
  const dispute = await disputeOf(reader, jobId);
  const attempts = await reader
    .selectFrom('docket.attempts')
    .select(['attempt', 'task', 'started_at', 'ended_at', 'outcome', 'code', 'message'])
    .where('job_id', '=', jobId)
    .orderBy('attempt')
    .execute();
  const results = await resultHistory(reader, jobId);
  const failure =
    overview.first_code === null
      ? null
      : ((await reader
          .selectFrom('docket.failure_codes')
          .select(['code', 'meaning', 'remedy'])
          .where('code', '=', overview.first_code)
          .executeTakeFirst()) ?? null);
  const times = ['state_at', 'accepted_at', 'due_at', 'captured_at', 'verified_at'] as const;
  const document = {
    ...overview,
    ...Object.fromEntries(times.map((name) => [name, isoTime(overview[name])])),
  };
  return {
    json: {
      ...document,
      signature,
      failure,
      results,
      attempts: attempts.map((row) => ({
        ...row,
        started_at: isoTime(row.started_at),
        ended_at: isoTime(row.ended_at),
      })),
    },
    text: [
      ...dispute,
      printable(signature.statement),
      '',
      ...Object.entries(document)
        .filter(([, value]) => value !== null)
        .map(
          ([name, value]) =>
            `${name.padEnd(15)} ${printable(String(value))}${STATED.has(name) ? AS_STATED : ''}`,
        ),
      ...(failure ? ['', `${failure.code}: ${failure.meaning}`, `What to do: ${failure.remedy}`] : []),
      '',
      textTable(
        ['attempt', 'task', 'outcome', 'code', 'message'],
        attempts.map((row) => [row.attempt, row.task, row.outcome ?? 'under way', row.code, row.message]),
      ),
      ...historyText(results),
    ]
      .join('\n')
      .trimEnd(),
  };
}
