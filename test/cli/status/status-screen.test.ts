import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatusFacts } from '../../../src/cli/status/status-facts.ts';
import { statusScreen } from '../../../src/cli/status/status-screen.ts';
import { statusTroubles } from '../../../src/cli/status/status-troubles.ts';
import { coloured, plain } from '../../../src/cli/terminal/paint.ts';
import { CALM } from './fixture.ts';

const MEDIUM = { columns: 100, paint: plain };
const screenOf = (facts: StatusFacts, medium = MEDIUM) => statusScreen(facts, statusTroubles(facts), medium);
const toldOf = (changes: Partial<StatusFacts>) =>
  statusTroubles({ ...CALM, ...changes }).map(({ severity, subject, next_command }) => [
    severity,
    subject,
    next_command,
  ]);

test('where nothing is wrong the first line says so, and the rest how things stand', () => {
  assert.equal(
    screenOf(CALM),
    `Docket at 2026-03-01 09:30:00Z: nothing is wrong.

state        documents  oldest   quarantined for  documents  last hour
accepted            12  3 s      TRUNCATED                6          0
running              2  1 s      LOW_CONFIDENCE           1          0
validated            0
published         1200
quarantined          7  25 h

lane                waiting  not held  admitted  running  unpublished  95 % took  warn / breach
signature_critical  -        -         -         -        -            -          -
standard            12, 3 s  12, 3 s   -         2, 1 s   -            42 s       2 min / 10 min

Workers: 2, on scan-a, scan-b. Slots at work: ocr 3 of 8.
OCR configuration: 2, since 2026-02-27 10:00:00Z; last known good: 1. Canary: 3, for 10 % of
  documents. A rollback may begin by itself within 01:00:00 of an activation.
Sealed: 9000 events; nothing waits. The last checkpoint is of 9000 leaves, 2026-03-01 09:29:59Z.
  Copies are kept in 1 file, 2 witnesses.
Deliveries: 1234. To be told to their senders: 5, the oldest for 2 s.`,
  );
});

test('each trouble is told with what to do, and all that can be wrong at once fits a screen of 40 lines of 100 columns', () => {
  const halted = ['all', 'kind:customs_form', 'source:carrier-a'].map((target, change) => ({
    ...{ control: 'admission', target, change, changed_at: '2026-03-01T09:00:00Z', changed_by: 'ops' },
    ...{
      reason: 'a reason that is long enough to need a second line of the screen, and then some more words',
    },
    ...{ expires_at: null, next_command: `docket admission open ${target} --reason '...'` },
  }));
  const outages = ['a', 'b', 'c'].map((host) => ({
    ...{ dependency: 'store', host, since: '2026-03-01T09:10:00Z', code: 'STORE_UNAVAILABLE' },
    message: 'connect ECONNREFUSED 10.0.0.7:9000',
  }));
  const facts: StatusFacts = {
    ...CALM,
    halted,
    outages,
    workers: [],
    quarantined: Array.from({ length: 9 }, (_, n) => ({ code: `CODE_${n}`, documents: 9 - n, last_hour: 1 })),
    disputed: { documents: 2, since: '2026-03-01T00:00:00Z', seconds: 34_200 },
    levels: { ...CALM.levels, ages: [{ ...CALM.levels.ages[1]!, oldest_seconds: 700 }] },
  };
  const lines = screenOf(facts).split('\n');
  assert.ok(lines.length <= 40, `${lines.length} lines`);
  assert.deepEqual(
    lines.filter((line) => [...line].length > 100),
    [],
  );
  assert.equal(lines[0], 'Docket at 2026-03-01 09:30:00Z: 7 alerts, 2 warnings, 1 notice, the worst first.');
  assert.match(lines[2]!, /^ALERT {4}No worker is at work/);
  assert.ok(lines.some((line) => /^ {9}and \d+ more: docket status --json$/.test(line)));
  // Five of nine codes: four by name.
  assert.ok(lines.some((line) => / 5 other codes +15 +5$/.test(line)));
});

test('without colours no code of a terminal is written, and with them the look is all that differs', () => {
  const facts = { ...CALM, workers: [] };
  const bare = screenOf(facts);
  const painted = screenOf(facts, { columns: 100, paint: coloured });
  assert.ok(!bare.includes('\u001b'));
  assert.ok(painted.includes('\u001b[31m'));
  assert.equal(painted.replace(/\u001b\[\d+m/g, ''), bare);
});

test('a level that is crossed is a warning, and one that is broken an alert that names the oldest document', () => {
  const at = (seconds: number) =>
    toldOf({ levels: { ...CALM.levels, ages: [{ ...CALM.levels.ages[1]!, oldest_seconds: seconds }] } });
  const next = 'docket why 00000000-0000-8000-8000-000000000001';
  assert.deepEqual(at(119), []);
  assert.deepEqual(at(120), [['warning', 'slo:undeferred_standard', next]]);
  assert.deepEqual(at(600), [['alert', 'slo:undeferred_standard', next]]);
});

test('a rollback under way is told, an admission that it closed is not told beside it, and a failed one is an alert', () => {
  const rollback = {
    ...{ rollback: 4, from_version: 2, to_version: 1, step: 'restore', began_at: '2026-03-01T09:29:00Z' },
    ...{ began_seconds: 60, closing_change: 17, failures: 0, failed_at: null, failure: null },
  };
  const gate = {
    ...{
      control: 'admission',
      target: 'all',
      change: 17,
      changed_at: '2026-03-01T09:29:01Z',
      changed_by: 'w',
    },
    ...{ reason: 'rollback 4', expires_at: null, next_command: 'docket admission open all' },
  };
  assert.deepEqual(toldOf({ ocr: { ...CALM.ocr, rollback }, halted: [gate] }), [
    ['warning', 'rollback:4', 'docket rollback show 4'],
  ]);
  const failed = {
    ...rollback,
    failures: 2,
    failed_at: '2026-03-01T09:29:30Z',
    failure: 'the engine is down.',
  };
  const [first] = statusTroubles({ ...CALM, ocr: { ...CALM.ocr, rollback: failed } });
  assert.equal(first!.severity, 'alert');
  assert.match(first!.what, /It failed 2 times: the engine is down\. Admission stays closed\.$/);
  assert.deepEqual(toldOf({ halted: [{ ...gate, change: 18 }] }), [
    ['alert', 'admission:all', 'docket admission open all'],
  ]);
});

test('an alert is told with its reason, and as stale where nobody looked for a minute', () => {
  const alert = {
    ...{ alert: 3, subject: 'slo:quarantined_share', severity: 'rollback' as const, fact: 'Half failed.' },
    ...{ why: 'Gates refuse them.', next_command: 'docket rollback', opened_at: '2026-03-01T09:00:00Z' },
    ...{ open_seconds: 1800, seen_seconds: 2 },
  };
  const whatOf = (seen_seconds: number) =>
    statusTroubles({ ...CALM, alerts: [{ ...alert, seen_seconds }] })[0];
  assert.deepEqual(
    [whatOf(2)!.severity, whatOf(2)!.what, whatOf(2)!.why],
    ['alert', 'Half failed.', 'Gates refuse them.'],
  );
  assert.equal(whatOf(300)!.what, 'Half failed. Nobody has looked for 5 min.');
  assert.match(
    screenOf({ ...CALM, alerts: [{ ...alert, seen_seconds: 2 }] }),
    /^ALERT {4}Half failed\. Gates refuse them\.$/m,
  );
});

test('a log that is not sealed, never signed, or nowhere else is told', () => {
  const sealing = {
    ...CALM.sealing,
    unsealed_events: 3,
    unsealed_seconds: 61,
    code: 'SEAL_STALLED',
    remedy: 'end it',
  };
  assert.deepEqual(toldOf({ sealing }), [['alert', 'sealing:0', 'end it']]);
  assert.deepEqual(
    toldOf({ places: [] }).map(([severity, subject]) => [severity, subject]),
    [['warning', 'checkpoints']],
  );
  const signing = { ...CALM.signing, signed: null, unsignedSeconds: 3600 };
  assert.deepEqual(
    toldOf({ signing, places: [] }).map(([severity, subject]) => [severity, subject]),
    [['alert', 'sealing:0']],
  );
});

test('without a worker it is an alert where anything waits, and a warning where nothing does', () => {
  assert.deepEqual(toldOf({ workers: [] })[0]!.slice(0, 2), ['alert', 'workers']);
  const levels = { ...CALM.levels, ages: [] };
  assert.deepEqual(toldOf({ workers: [], levels }), [['warning', 'workers', 'docket worker, or docket up']]);
});
