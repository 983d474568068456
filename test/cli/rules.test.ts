import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CliHome } from './run-docket.ts';

interface Failure {
  error: { code: string; message: string; hint: string | null };
}
interface RuleSets {
  rule_sets: { rule_set_id: number; name: string; state: string; withheld: number }[];
}

let home: CliHome;
let file = '';

before(async () => {
  home = await CliHome.make();
  file = join(home.folder, 'rules.json');
  await home.json(['migrate']);
});
after(() => home.remove());

test('the built-in rules are active, and what is shown of them can be staged under another name', async () => {
  const { rule_sets: sets } = await home.json<RuleSets>(['rules', 'list']);
  assert.deepEqual(
    sets.map(({ name, state }) => [name, state]),
    [['docket-1', 'active']],
  );
  const shown = await home.json<{ name: string; rules: unknown[] }>(['rules', 'show', 'docket-1']);
  assert.ok(shown.rules.length > 20);
  await writeFile(file, JSON.stringify({ ...shown, name: 'mine-1' }));
  const staged = await home.json<{ rule_set_id: number }>(['rules', 'stage', file]);
  const again = await home.json<{ rule_set_id: number }>(['rules', 'stage', file]);
  assert.deepEqual(again, staged);
  await home.json(['rules', 'activate', 'mine-1', '--reason', 'Ours']);
  const { rule_sets: now } = await home.json<RuleSets>(['rules', 'list']);
  assert.deepEqual(
    now.map(({ name, state }) => [name, state]),
    [
      ['docket-1', 'retired'],
      ['mine-1', 'active'],
    ],
  );
});

test('rules that no worker could apply are refused before they reach the database', async () => {
  const rule = { rule: 'r', reason: 'r', meaning: 'r', pattern: '(' };
  await writeFile(file, JSON.stringify({ name: 'wrong', meaning: 'x', rules: [rule] }));
  const { error } = await home.json<Failure>(['rules', 'stage', file], 2);
  assert.match(error.message, /pattern of rule "r" is not a regular expression/);
  const unknown = await home.json<Failure>(['rules', 'activate', 'nothing', '--reason', 'x'], 5);
  assert.equal(unknown.error.code, 'RULE_SET_NOT_FOUND');
});
