import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginExamination } from '../../../src/cli/doctor/examination.ts';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { findingLines } from '../../../src/cli/doctor/finding-lines.ts';
import { DocketError } from '../../../src/errors.ts';

const finding = (severity: Finding['severity'], what: string): Finding => ({
  severity,
  what,
  consequence: `the consequence of ${what}`,
  remedy: `fix ${what}`,
});

test('a check that fails or never answers is a finding itself and hides no other, and the worst come first', async () => {
  const { run, look, findings } = beginExamination({ signal: new AbortController().signal, withinMs: 20 });
  await run('a', () => [finding('note', 'one'), finding('warning', 'two')]);
  await run('b', () => {
    throw new DocketError('STORE_DENIED', 'the bucket may not be looked at', { hint: 'grant it' });
  });
  await run('c', () => new Promise(() => undefined));
  const facts = await look(
    'd',
    () => 42,
    () => [finding('problem', 'three')],
  );
  assert.equal(facts, 42);
  assert.deepEqual(
    findings().map(({ check, severity, what }) => [check, severity, what]),
    [
      ['d', 'problem', 'three'],
      ['a', 'warning', 'two'],
      ['b', 'warning', 'could not be checked: STORE_DENIED, the bucket may not be looked at'],
      ['c', 'warning', 'could not be checked: CHECK_TIMEOUT, there was no answer within 0.02 s'],
      ['a', 'note', 'one'],
    ],
  );
  assert.equal(findings().find(({ check }) => check === 'b')?.remedy, 'grant it');
});

test('what is long has all the time it needs', async () => {
  const { look, findings } = beginExamination({ signal: new AbortController().signal, withinMs: 1 });
  let go = (_: string): void => undefined;
  const asked = look(
    'long',
    () => new Promise<string>((resolve) => (go = resolve)),
    () => [],
    { isLong: true },
  );
  await look(
    'short',
    () => new Promise(() => undefined),
    () => [],
  );
  go('done');
  assert.equal(await asked, 'done');
  assert.deepEqual(
    findings().map(({ check }) => check),
    ['short'],
  );
});

test('an interruption ends the examination, and is no finding', async () => {
  const interrupt = new AbortController();
  const { run, findings } = beginExamination({ signal: interrupt.signal });
  const waiting = run('a', () => new Promise(() => undefined));
  interrupt.abort(new DocketError('INTERRUPTED', 'stopped'));
  await assert.rejects(waiting, { code: 'INTERRUPTED' });
  await assert.rejects(
    run('b', () => []),
    { code: 'INTERRUPTED' },
  );
  assert.deepEqual(findings(), []);
});

test('the worst six findings are told in full, others and notes in a line each', () => {
  const grave = Array.from({ length: 8 }, (_, at) => ({
    check: 'disk',
    ...finding(at < 2 ? 'problem' : 'warning', `thing ${at}`),
  }));
  const lines = findingLines([...grave, { check: 'store', ...finding('note', 'a\nfolder\u001b[31m') }]);
  assert.equal(
    lines[0],
    '2 problems, 6 warnings, 1 note, the worst first; with all consequences and remedies: docket doctor --json',
  );
  assert.deepEqual(lines.slice(2, 5), [
    'PROBLEM  disk: thing 0',
    '  so the consequence of thing 0',
    '  fix thing 0',
  ]);
  assert.deepEqual(lines.slice(-4), [
    '  fix thing 5',
    'warning  disk: thing 6',
    'warning  disk: thing 7',
    'note  store: a folder\ufffd[31m',
  ]);
  assert.deepEqual(findingLines([]), ['Nothing was found wrong.']);
});
