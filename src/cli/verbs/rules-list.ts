import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'rules list',
  summary: 'List the versions of the redaction rules, and how many published documents each has redacted.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const sets = await reader
        .selectFrom('docket_api.rule_sets')
        .select([
          'rule_set_id',
          'name',
          'state',
          'published',
          'redacted',
          'withheld',
          'meaning',
          'activated_at',
        ])
        .orderBy('rule_set_id')
        .execute();
      return {
        json: { rule_sets: sets.map((set) => ({ ...set, activated_at: isoTime(set.activated_at) })) },
        text: textTable(
          ['id', 'name', 'state', 'published', 'redacted', 'missing', 'meaning'],
          sets.map((set) => [
            String(set.rule_set_id),
            set.name ?? '',
            set.state ?? '',
            String(set.published),
            String(set.redacted),
            String(set.withheld ?? ''),
            set.meaning ?? '',
          ]),
        ),
      };
    }),
});
