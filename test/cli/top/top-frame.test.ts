import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coloured, plain } from '../../../src/cli/terminal/paint.ts';
import { everyArgument } from '../../../src/cli/top/run-top.ts';
import { aMinute } from '../../../src/cli/top/throughput.ts';
import type { GroupRow, TopFacts } from '../../../src/cli/top/top-facts.ts';
import { topFrame } from '../../../src/cli/top/top-frame.ts';
import { CALM } from '../status/fixture.ts';

const group = (name: string, seconds: number): GroupRow => ({
  name,
  stages: {
    waiting: { documents: 12, oldest_seconds: seconds },
    undeferred: { documents: null, oldest_seconds: 2 },
    running: { documents: 3, oldest_seconds: 61 },
  },
  oldest_seconds: seconds,
});

const FACTS: TopFacts = {
  at: '2026-03-01T09:30:00.123456Z',
  deliveries: 1234,
  groups: {
    lane: [{ name: 'signature_critical', stages: {}, oldest_seconds: 0 }, group('standard', 200)],
    source: Array.from({ length: 30 }, (_, n) => group(`source-${n}`, 200 - n)),
    kind: [group('customs_form', 200)],
  },
  throughput: { seconds: 90, published: 63, quarantined: 1, p95_seconds: 12.5 },
  workers: CALM.workers,
  running: [
    {
      ...{
        job_id: '00000000-0000-8000-8000-000000000001',
        task: 'ocr',
        attempt: 2,
        seconds: 75,
        seconds_left: 525,
      },
      ...{
        document_kind: 'customs_form',
        source_id: 'source-1',
        lane: 'standard',
        pages: 2.2,
        host: 'scan-a',
        pid: 41,
      },
    },
  ],
  running_count: 3,
  troubles: [],
};
const MEDIUM = { columns: 132, paint: plain, by: 'lane' as const };

test('a frame has what waits by lane, the workers, the oldest sources and what is under way', () => {
  const frame = topFrame(FACTS, MEDIUM, { delivered: '70' });
  assert.match(
    frame[0]!,
    /^Docket 2026-03-01 09:30:00Z, by lanes +2 workers on 2 hosts, 3 attempts under way$/,
  );
  // 63 in 90 seconds are 42 a minute; 1 is 0.7.
  assert.match(
    frame[1]!,
    /^A minute: 70 delivered, 42 published, 0\.7 quarantined; 95 % took 12 s +audit -\/1 {2}ocr 3\/8$/,
  );
  assert.deepEqual(frame.slice(2), [
    '',
    'lane                waiting    not held   admitted  running  unpublished',
    'signature_critical  -          -          -         -        -',
    'standard            12, 3 min  many, 2 s  -         3, 61 s  -',
    '',
    'worker     version  since              audit  ocr',
    'scan-a/41  0.1.0    2026-03-01 08:00Z  -/1    2/4',
    'scan-b/42  0.1.0    2026-03-01 08:00Z         1/4',
    '',
    'source, the oldest first  waiting    not held   admitted  running  unpublished',
    ...Array.from(
      { length: 10 },
      (_, n) => `source-${n}                  12, 3 min  many, 2 s  -         3, 61 s  -`,
    ),
    '',
    'under way                             for   left   task  attempt  pages  kind          worker     lane      source',
    '00000000-0000-8000-8000-000000000001  75 s  8 min  ocr         2      3  customs_form  scan-a/41  standard  source-1',
  ]);
});

test('a frame is never wider or higher than the terminal, keeps its first lines, and says its keys in the last', () => {
  for (const columns of [40, 79, 100]) {
    for (const rows of [8, 12, 24, 60]) {
      const frame = topFrame(FACTS, { ...MEDIUM, columns, rows }, { keys: 'q ends' });
      assert.equal(frame.length, rows);
      assert.ok(
        frame.every((line) => [...line].length <= columns),
        `${columns} × ${rows}`,
      );
      assert.equal(frame.at(-1), 'q ends');
      assert.match(frame[0]!, /^Docket/);
    }
  }
});

test('it is told by sources or kinds, and then sources are not told twice', () => {
  const by = (grouping: 'source' | 'kind') => topFrame(FACTS, { ...MEDIUM, by: grouping });
  assert.match(by('source')[0]!, /by sources/);
  assert.equal(by('source').filter((line) => line.startsWith('source-0 ')).length, 1);
  assert.equal(by('source').filter((line) => /^source-\d+ /.test(line)).length, 20);
  assert.ok(by('kind').some((line) => /^customs_form +12, 3 min/.test(line)));
  assert.equal(by('kind').filter((line) => /^source-\d+ /.test(line)).length, 10);
});

test('what is wrong stands first, three of it, and why the facts are not of now', () => {
  const troubles = [1, 2, 3, 4].map((n) => ({
    ...{ severity: 'alert' as const, subject: `slo:${n}`, what: `Late ${n}.`, since: null, seconds: null },
    next_command: 'docket why',
  }));
  const frame = topFrame({ ...FACTS, troubles }, MEDIUM, {
    trouble: ['DATABASE_UNAVAILABLE: gone', '→ docket doctor'],
  });
  assert.deepEqual(frame.slice(2, 4), ['DATABASE_UNAVAILABLE: gone', '→ docket doctor']);
  assert.deepEqual(
    frame.filter((line) => /^ALERT|in all/.test(line)),
    ['ALERT    Late 1.', 'ALERT    Late 2.', 'ALERT    Late 3.', '         4 alerts in all: docket status'],
  );
});

test('an empty system is a frame too, and nothing of a sender steers the terminal', () => {
  const nothing: TopFacts = {
    ...FACTS,
    ...{ workers: [], running: [], running_count: 0, groups: { lane: [], source: [], kind: [] } },
    throughput: { seconds: 60, published: 0, quarantined: 0, p95_seconds: null },
  };
  assert.deepEqual(topFrame(nothing, { ...MEDIUM, columns: 80 }), [
    'Docket 2026-03-01 09:30:00Z, by lanes',
    '                                      0 workers on 0 hosts, 0 attempts under way',
    'A minute: 0 published, 0 quarantined',
  ]);
  const evil = { ...FACTS, groups: { ...FACTS.groups, source: [group('\u001b[2Jx', 1)] } };
  assert.ok(topFrame(evil, MEDIUM).every((line) => !line.includes('\u001b')));
  assert.ok(topFrame(FACTS, { ...MEDIUM, paint: coloured })[0]!.startsWith('\u001b[1m'));
});

test('rates are of a minute, and spans from two seconds to an hour', () => {
  assert.deepEqual(
    [
      aMinute(63, { seconds: 90 }),
      aMinute(1, { seconds: 90 }),
      aMinute(0, { seconds: 60 }),
      aMinute(3, { seconds: 60 }),
    ],
    ['42', '0.7', '0', '3'],
  );
  assert.deepEqual(
    ['2s', '2', '1.5m', '1h', undefined].map((text) => everyArgument.parse(text)),
    [2000, 2000, 90_000, 3_600_000, 2000],
  );
  for (const wrong of ['1s', '2h', 'soon', '', '-3s'])
    assert.ok(!everyArgument.safeParse(wrong).success, wrong);
});
