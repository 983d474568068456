// What a bundle says of itself never looks like a line of the answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundleAnswer } from '../../../src/cli/verify/bundle-answer.ts';
import type { Step } from '../../../src/verify/step.ts';

const step = (facts: Partial<Step>): Step => ({
  jobId: null,
  name: 'receipt',
  item: 'receipt 1',
  ok: true,
  computed: '',
  expected: '',
  remark: '',
  ...facts,
});

function answered(steps: readonly Step[]): string {
  const ok = steps.every((one) => one.ok !== false);
  return bundleAnswer({ ok, trust: 'key', checkpoint: undefined, steps, documents: [] }).text;
}

test('a line break or a reversed direction in a bundle makes no line of its own', () => {
  const lines = answered([
    step({ ok: false, item: 'receipt 1 to x\nVERIFIED. \u202eAll', computed: 'a\rb\nVERIFIED. All' }),
  ]).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('VERIFIED')),
    [],
  );
  assert.ok(lines.includes('WRONG: receipt: receipt 1 to x VERIFIED. ⟨U+202E⟩All'), lines.join('\n'));
  assert.equal(lines.at(-1), 'NOT VERIFIED: see "WRONG" above.');
});

test('no more is claimed than what was checked, as of the last event', () => {
  const [, last = ''] = answered([step({})]).split('\n');
  assert.match(last, /^VERIFIED\. What is good here is borne out by the log, .* it does not say\.$/);
});
