import { sql } from 'kysely';
import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source list',
  summary: 'List sources, the logins that deliver for them or read, and whether they may deliver.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const sources = await reader
        .selectFrom('docket.sources as s')
        .leftJoin('docket.source_members as m', 'm.source_id', 's.source_id')
        .groupBy('s.source_id')
        .select([
          's.source_id',
          's.is_enabled',
          's.note',
          loginsThat('deliver').as('logins'),
          loginsThat('read').as('readers'),
        ])
        .orderBy('s.source_id')
        .execute();
      return {
        json: {
          sources: sources.map((row) => ({
            source: row.source_id,
            enabled: row.is_enabled,
            logins: row.logins,
            readers: row.readers,
            note: row.note,
          })),
        },
        text:
          textTable(
            ['source', 'enabled', 'logins', 'readers', 'note'],
            sources.map((row) => [
              row.source_id,
              row.is_enabled ? 'yes' : 'no',
              row.logins.join(', '),
              row.readers.join(', '),
              row.note,
            ]),
          ) || 'There are no sources. Add one: docket source add NAME --login ROLE',
      };
    }),
});

/** Those of the members m of a source that deliver, or only read, in order. */
function loginsThat(act: 'deliver' | 'read') {
  return sql<string[]>`coalesce(
    array_agg(m.role_name::text order by m.role_name) filter (where m.may_deliver = ${act === 'deliver'}), '{}')`;
}
