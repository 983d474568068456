import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { STEP_MEANINGS } from '../../../src/verify/page/step-meanings.ts';

const VERIFIER = resolve(import.meta.dirname, '../../../src/verify');

test('every step of the verifier is explained to a person, and nothing else is', () => {
  const names = new Set(['scan']); // made by the page itself
  for (const file of readdirSync(VERIFIER)) {
    if (!file.endsWith('.ts')) continue;
    const source = readFileSync(join(VERIFIER, file), 'utf8');
    for (const [, name = ''] of source.matchAll(/\[(?:jobId|null), '([a-z ]+)'/g)) names.add(name);
  }
  assert.ok(names.size > 15);
  assert.deepEqual(Object.keys(STEP_MEANINGS).sort(), [...names].sort());
});
