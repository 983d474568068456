import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { ruleSetArgument, ruleSetId } from '../rule-set-argument.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'rules show <id>',
  summary: 'Print a version of the redaction rules, in the form that rules stage takes.',
  input: z.strictObject({ id: ruleSetArgument }),
  run: ({ id }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const number = await ruleSetId(reader, id);
      const set = await reader
        .selectFrom('docket.rule_sets')
        .select(['name', 'meaning'])
        .where('rule_set_id', '=', number)
        .executeTakeFirstOrThrow();
      const rules = await reader
        .selectFrom('docket.redaction_rules')
        .select(['rule', 'reason', 'document_kind', 'pattern', 'validator', 'region', 'meaning'])
        .where('rule_set_id', '=', number)
        .orderBy('rule')
        .execute();
      const file = {
        ...set,
        rules: rules.map((rule) =>
          Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null)),
        ),
      };
      return { json: file, text: JSON.stringify(file, null, 2) };
    }),
});
