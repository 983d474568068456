import { sql } from 'kysely';
import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source list',
  summary: 'List sources, their logins, and whether they may deliver.',
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
          sql<
            string[]
          >`coalesce(array_agg(m.role_name::text order by m.role_name) filter (where m.role_name is not null), '{}')`.as(
            'logins',
          ),
        ])
        .orderBy('s.source_id')
        .execute();
      return {
        json: {
          sources: sources.map((row) => ({
            source: row.source_id,
            enabled: row.is_enabled,
            logins: row.logins,
            note: row.note,
          })),
        },
        text:
          textTable(
            ['source', 'enabled', 'logins', 'note'],
            sources.map((row) => [
              row.source_id,
              row.is_enabled ? 'yes' : 'no',
              row.logins.join(', '),
              row.note,
            ]),
          ) || 'There are no sources. Add one: docket source add NAME --login ROLE',
      };
    }),
});
