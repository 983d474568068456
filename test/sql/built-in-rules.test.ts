import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { measure } from '../../corpus/redaction/measure.ts';
import { measuredPages } from '../../corpus/redaction/planted.ts';
import { migrate } from '../../src/db/migrate.ts';
import { readSqlFiles } from '../../src/db/sql-files.ts';
import type { RedactionRule } from '../../src/domain/redaction/rules.ts';
import { compileRules } from '../../src/domain/redaction/rules.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const db = database.pool();

test('the recall that the built-in rules state and their documentation state is the one that is measured', async () => {
  const { rows } = await db.query<{ rules: RedactionRule[]; recall: unknown }>(`
    select s.recall, json_agg(json_build_object('rule', r.rule, 'reason', r.reason, 'documentKind', r.document_kind,
      'pattern', r.pattern, 'validator', r.validator, 'region', r.region)) as rules
    from docket.rule_sets s join docket.redaction_rules r using (rule_set_id)
    where s.name = 'docket-1'
    group by s.rule_set_id`);
  const { recall } = measure(compileRules(rows[0]!.rules), measuredPages());
  assert.deepEqual(rows[0]?.recall, recall);
  const docs = await readFile(join(import.meta.dirname, '../../docs/redaction.md'), 'utf8');
  for (const [kind, { planted, found }] of Object.entries(recall)) {
    const share = ((100 * found) / planted).toFixed(1);
    assert.match(docs, new RegExp(`\\| \`${kind}\` +\\| ${planted} +\\| ${found} +\\| ${share} %`));
  }
});

test('an upgrade that changed rules and kept their name is refused', async () => {
  const files = await readSqlFiles();
  const definitions = files.definitions.map((file) =>
    file.name.endsWith('redaction_rules.sql')
      ? { ...file, text: file.text.replace("'phone_american', 'phone'", "'phone_american', 'telephone'") }
      : file,
  );
  const upgrade = migrate({ connectionString: database.url(), files: { ...files, definitions } });
  await assert.rejects(upgrade, /rule "phone_american" of the redaction rules "docket-1" is not as it was/);
});
