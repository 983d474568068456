import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trouble } from '../../../src/cli/status/trouble.ts';
import { countedTroubles, worstTroubles } from '../../../src/cli/status/trouble.ts';
import { troubleLines } from '../../../src/cli/status/trouble-lines.ts';
import { plain } from '../../../src/cli/terminal/paint.ts';

const trouble = (severity: Trouble['severity'], subject: string, seconds: number | null = null): Trouble => ({
  ...{ severity, subject, seconds },
  what: `About ${subject}.`,
  since: seconds === null ? null : '2026-03-01T09:30:00.123456Z',
  next_command: 'docket why',
});

test('the worst goes first, then what causes others, then the oldest', () => {
  const sorted = worstTroubles([
    trouble('notice', 'quarantine'),
    trouble('alert', 'slo:young', 10),
    trouble('alert', 'slo:old', 20),
    trouble('warning', 'admission:kind:unknown', 9000),
    trouble('alert', 'something_new'),
    trouble('alert', 'outage:store@a', 5),
    trouble('alert', 'rollback:1', 1),
  ]);
  assert.deepEqual(
    sorted.map(({ subject }) => subject),
    [
      'rollback:1',
      'outage:store@a',
      'slo:old',
      'slo:young',
      'something_new',
      'admission:kind:unknown',
      'quarantine',
    ],
  );
});

test('of two about the same only the first is told, as bad as the worse of them', () => {
  const [only, ...others] = worstTroubles([
    { ...trouble('warning', 'slo:a'), what: 'As it is now.' },
    { ...trouble('alert', 'slo:a'), what: 'As the alert says.', why: 'No slots.' },
  ]);
  assert.deepEqual(
    [only!.severity, only!.what, only!.why, others],
    ['alert', 'As it is now.', 'No slots.', []],
  );
  const [worse] = worstTroubles([trouble('alert', 'slo:a'), trouble('notice', 'slo:a')]);
  assert.equal(worse!.severity, 'alert');
});

test('troubles are counted by how bad they are', () => {
  assert.equal(
    countedTroubles([trouble('notice', 'a'), trouble('alert', 'b'), trouble('alert', 'c')]),
    '2 alerts, 1 notice',
  );
});

test('a trouble is what, then the next command with since when; with the date where it began long ago', () => {
  const medium = { columns: 60, paint: plain };
  assert.deepEqual(troubleLines(trouble('warning', 'slo:a', 130), medium), [
    'WARNING  About slo:a.',
    '         → docket why                 since 09:30:00Z, 2 min',
  ]);
  assert.deepEqual(troubleLines(trouble('alert', 'slo:a', 200_000), medium), [
    'ALERT    About slo:a.',
    '         → docket why        since 2026-03-01 09:30:00Z, 2 d',
  ]);
  assert.deepEqual(troubleLines(trouble('notice', 'slo:a'), medium), [
    'NOTICE   About slo:a.',
    '         → docket why',
  ]);
});

test('a long trouble takes three lines and its command, each within the width, and what a sender wrote steers no terminal', () => {
  const what = `\u001b[2J${'word '.repeat(100)}`;
  const lines = troubleLines({ ...trouble('alert', 'x', 5), what }, { columns: 60, paint: plain });
  assert.equal(lines.length, 4);
  assert.ok(lines.every((line) => [...line].length <= 60));
  assert.ok(lines[2]!.endsWith(' …'));
  assert.ok(!lines.join('').includes('\u001b'));
});
