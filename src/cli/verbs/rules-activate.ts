import { z } from 'zod';
import { activateRuleSet } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { explainRulesDenial, ruleSetArgument, ruleSetId } from '../rule-set-argument.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'rules activate <id>',
  summary: 'Show analysts the pages as a version of the redaction rules leaves them, from now on.',
  options: [
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    ['--emergency', 'at once: documents that are not redacted by it yet are withheld until they are'],
  ],
  input: z.strictObject({
    id: ruleSetArgument,
    reason: z.string('required'),
    emergency: z.boolean().default(false),
  }),
  run: ({ id, reason, emergency: isEmergency }, { config, log }) =>
    withDatabase(config, { log }, async ({ as, reader }) => {
      const ruleSet = await ruleSetId(reader, id);
      const args = { ruleSetId: ruleSet, reason, isEmergency };
      await activateRuleSet(as('docket_evidence_owner'), args).catch(explainRulesDenial);
      const { withheld } = await reader
        .selectFrom('docket_api.rule_sets')
        .select('withheld')
        .where('rule_set_id', '=', ruleSet)
        .executeTakeFirstOrThrow();
      return {
        json: { rule_set_id: ruleSet, state: 'active', withheld },
        text: `Rule set ${String(ruleSet)} is active; ${String(withheld)} documents are withheld until it has redacted them.`,
      };
    }),
});
