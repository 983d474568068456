import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/rows.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { requireSource } from '../require-source.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source gaps [name]',
  summary: 'List which scans of sources that number them are missing, and numbers that several scans bear.',
  input: z.strictObject({ name: z.string().optional() }),
  run: ({ name }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      if (name !== undefined) await requireSource(reader, name);
      const gaps = await listGaps(reader, name);
      const conflicts = await listConflicts(reader, name);
      const tables = [
        textTable(
          ['source', 'from', 'to', 'missing'],
          gaps.map((gap) => [gap.source, gap.from_number, gap.to_number, gap.missing]),
        ),
        textTable(
          ['source', 'number of several', 'job', 'received'],
          conflicts.map((one) => [one.source, one.scan_number, one.job_id, one.received_at]),
        ),
      ];
      return {
        json: { gaps, conflicts },
        text:
          tables.filter((table) => table !== '').join('\n\n') ||
          'No number is missing, and none was given twice.',
      };
    }),
});

async function listGaps(db: Kysely<Database>, source: string | undefined) {
  let query = db.selectFrom('docket.scan_gaps').selectAll().orderBy('source_id').orderBy('from_number');
  if (source !== undefined) query = query.where('source_id', '=', source);
  const rows = await query.execute();
  return rows.map((row) => ({
    source: row.source_id,
    from_number: Number(row.from_number),
    to_number: Number(row.to_number),
    missing: Number(row.missing),
  }));
}

async function listConflicts(db: Kysely<Database>, source: string | undefined) {
  let query = db
    .selectFrom('docket.scan_number_conflicts')
    .selectAll()
    .orderBy('source_id')
    .orderBy('scan_number')
    .orderBy('delivery_id');
  if (source !== undefined) query = query.where('source_id', '=', source);
  const rows = await query.execute();
  return rows.map((row) => ({
    source: row.source_id,
    scan_number: Number(row.scan_number),
    job_id: row.job_id,
    delivery_id: row.delivery_id,
    received_at: isoTime(row.received_at),
  }));
}
