import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { stageRuleSet } from '../../db/commands.ts';
import { compileRules } from '../../domain/redaction/rules.ts';
import { DocketError } from '../../errors.ts';
import { withDatabase } from '../database-access.ts';
import { explainRulesDenial } from '../rule-set-argument.ts';
import { refuseFile } from '../scan-files.ts';
import { defineVerb } from '../verb.ts';

const ruleSetFile = z.strictObject({
  name: z.string(),
  meaning: z.string(),
  rules: z.array(
    z.strictObject({
      rule: z.string(),
      reason: z.string(),
      meaning: z.string(),
      document_kind: z.string().optional(),
      pattern: z.string().optional(),
      validator: z.string().optional(),
      region: z.array(z.number()).optional(),
    }),
  ),
});

export default defineVerb({
  usage: 'rules stage <file>',
  summary: 'Add a version of the redaction rules; documents are redacted by it in the background.',
  input: z.strictObject({ file: z.string() }),
  run: async ({ file }, { config, log }) => {
    const { name, meaning, rules } = await readRules(file);
    return withDatabase(config, { log }, async ({ as }) => {
      const args = { name, meaning, rules: JSON.stringify(rules) };
      const [staged] = await stageRuleSet(as('docket_evidence_owner'), args).catch(explainRulesDenial);
      const id = staged?.rule_set_id;
      return {
        json: { rule_set_id: id, name },
        text: `${name} is staged as ${String(id)}. Once docket rules list shows none missing: docket rules activate ${String(id)} --reason TEXT`,
      };
    });
  },
});

/** Reads a file of rules and makes sure that a worker could apply them. */
async function readRules(file: string): Promise<z.infer<typeof ruleSetFile>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => refuseFile(file, error));
  try {
    const read = ruleSetFile.parse(JSON.parse(text));
    compileRules(
      read.rules.map(
        ({
          document_kind: documentKind = null,
          pattern = null,
          validator = null,
          region = null,
          ...rule
        }) => ({
          ...rule,
          documentKind,
          pattern,
          validator,
          region,
        }),
      ),
    );
    return read;
  } catch (cause) {
    const message = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new DocketError('USAGE', `${file}: ${message}`, { cause, hint: 'see docs/redaction.md' });
  }
}
