import { sql } from 'kysely';
import { z } from 'zod';
import { controlName, controlWords } from '../control-words.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

const COUNT = 'expected a whole number from 1';

export default defineVerb({
  usage: 'changes',
  summary:
    'List what was changed of limits, pools, lanes, admission, sources, OCR configurations and SLOs, the newest first.',
  options: [['--limit <number>', 'so many at most; default 20']],
  input: z.strictObject({ limit: z.coerce.number(COUNT).int(COUNT).min(1, COUNT).default(20) }),
  run: ({ limit }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const rows = await reader
        .selectFrom('docket.changes as c')
        .selectAll('c')
        .select(
          sql<string | null>`(select u.change_id from docket.changes u where u.undoes = c.change_id)`.as(
            'undone_by',
          ),
        )
        .orderBy('c.change_id', 'desc')
        .limit(limit)
        .execute();
      const number = (id: string | null) => (id === null ? null : Number(id));
      const changes = rows.map((row) => ({
        change: number(row.change_id),
        control: row.control,
        target: row.target,
        previous: row.old_value,
        value: row.new_value,
        changed_at: isoTime(row.changed_at),
        changed_by: row.changed_by,
        reason: row.reason,
        expires_at: isoTime(row.expires_at),
        undoes: number(row.undoes),
        undone_by: number(row.undone_by),
      }));
      return {
        json: { changes },
        text:
          textTable(
            ['change', 'of', 'before', 'since', 'when', 'by', 'why', 'until', 'undoes', 'undone by'],
            changes.map((one) => [
              one.change,
              controlName(one.control, one.target),
              controlWords(one.control, one.previous),
              controlWords(one.control, one.value),
              one.changed_at,
              one.changed_by,
              one.reason,
              one.expires_at,
              one.undoes,
              one.undone_by,
            ]),
          ) || 'Nothing was changed yet.',
      };
    }),
});
