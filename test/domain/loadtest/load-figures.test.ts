import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agesByClass } from '../../../src/domain/loadtest/document-classes.ts';
import type { FinishedDocument, LevelMeasure } from '../../../src/domain/loadtest/level.ts';
import { missingTime, othersBusy } from '../../../src/domain/loadtest/level.ts';
import { levelsFor } from '../../../src/domain/loadtest/levels.ts';
import { percentile } from '../../../src/domain/loadtest/percentile.ts';
import { propose } from '../../../src/domain/loadtest/proposal.ts';
import { roundTicks } from '../../../src/domain/loadtest/round-ticks.ts';

function aDocument(change: Partial<FinishedDocument> = {}): FinishedDocument {
  return { pages: 1, dpi: 200, ageSeconds: 2, recognitionSeconds: 1, ...change };
}

function aLevel(change: Partial<LevelMeasure>): LevelMeasure {
  return {
    slots: 2,
    seconds: 10,
    documents: [],
    quarantined: 0,
    cpuSeconds: undefined,
    databaseCpuSeconds: undefined,
    hostBusy: 1,
    hostCores: 4,
    residentMb: undefined,
    largestChildMb: undefined,
    heldBack: [],
    ...change,
  };
}

test('levels go one by one to twice the cores, and on many cores in eight steps from one', () => {
  assert.deepEqual(levelsFor(1), [1, 2]);
  assert.deepEqual(levelsFor(2), [1, 2, 3, 4]);
  assert.deepEqual(levelsFor(4), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(levelsFor(16), [1, 4, 8, 12, 16, 20, 24, 28, 32]);
});

test('a percentile is a value that was measured: the least that so many do not exceed', () => {
  const values = [5, 1, 4, 2, 3];
  assert.equal(percentile(values, 50), 3);
  assert.equal(percentile(values, 60), 3);
  assert.equal(percentile(values, 61), 4);
  assert.equal(percentile(values, 95), 5);
  assert.equal(percentile(values, 0), 1);
  assert.ok(Number.isNaN(percentile([], 50)));
});

test('documents are told apart by pages and resolution, each class with its own ages and cost of a page', () => {
  const found = agesByClass([
    aDocument({ pages: 3, dpi: 300, ageSeconds: 9, recognitionSeconds: 6 }),
    aDocument({ ageSeconds: 4, recognitionSeconds: 3, dpi: 180 }),
    aDocument({ ageSeconds: 2, recognitionSeconds: 1, dpi: 240 }),
    aDocument({ dpi: 179.9, ageSeconds: 1 }),
    aDocument({ pages: 12, dpi: 96, ageSeconds: 30, recognitionSeconds: 24 }),
  ]);
  assert.deepEqual(found, [
    { pages: '1', resolution: 'below 180', documents: 1, pageCount: 1, secondsPerPage: 1, p50: 1, p95: 1 },
    { pages: '1', resolution: '180-240', documents: 2, pageCount: 2, secondsPerPage: 2, p50: 2, p95: 4 },
    { pages: '2-4', resolution: 'above 240', documents: 1, pageCount: 3, secondsPerPage: 2, p50: 9, p95: 9 },
    {
      pages: '10 and more',
      resolution: 'below 180',
      documents: 1,
      pageCount: 12,
      secondsPerPage: 2,
      p50: 30,
      p95: 30,
    },
  ]);
});

test('what is let in is four fifths of what the knee gave, and the age what a full burst adds to that of the knee', () => {
  // 30 pages in 10 s: 3 a second. Four fifths of 180 a minute are 144, and 30 s of it 90 pages, which take 30 s.
  const documents = Array.from({ length: 20 }, (_, at) =>
    aDocument({ pages: at < 10 ? 2 : 1, ageSeconds: at + 1 }),
  );
  assert.deepEqual(propose(aLevel({ documents }), 1), {
    slots: 2,
    window: 4,
    pagesPerMinute: 144,
    pagesBurst: 90,
    // the nineteenth of twenty ages is 19
    expectedAgeSeconds: 49,
    sloSeconds: 60,
  });
});

test('a fleet of hosts is let in so many times as much, at the same age', () => {
  const documents = Array.from({ length: 30 }, () => aDocument({ ageSeconds: 15 }));
  const { slots, window, pagesPerMinute, pagesBurst, sloSeconds } = propose(aLevel({ documents }), 3);
  assert.deepEqual(
    { slots, window, pagesPerMinute, pagesBurst, sloSeconds },
    { slots: 2, window: 12, pagesPerMinute: 432, pagesBurst: 270, sloSeconds: 45 },
  );
});

test('the burst has room for the longest document, and the age counts its pages', () => {
  const found = propose(aLevel({ documents: [aDocument({ pages: 100, ageSeconds: 8 })], seconds: 200 }), 1);
  assert.equal(found.pagesBurst, 100);
  assert.equal(found.expectedAgeSeconds, 8 + 200);
  assert.equal(found.sloSeconds, 300);
});

test('a host that does next to nothing is let in a page a minute, and promises whole hours', () => {
  const found = propose(aLevel({ documents: [aDocument({ ageSeconds: 4000 })], seconds: 400 }), 1);
  assert.equal(found.pagesPerMinute, 1);
  assert.equal(found.sloSeconds, 2 * 3600);
});

test('what others used of the host is what neither the test nor its database did', () => {
  // 24 of 40 core seconds were used, of which 14 by the test and 2 by Postgres: 8 are a fifth
  const level = aLevel({ hostBusy: 0.6, cpuSeconds: 14, databaseCpuSeconds: 2 });
  assert.ok(Math.abs(othersBusy(level)! - 0.2) < 1e-12);
  assert.equal(othersBusy(aLevel({ hostBusy: 0.3, cpuSeconds: 14 })), 0, 'clocks that differ a little');
  assert.equal(othersBusy(aLevel({ hostBusy: 0.6 })), undefined);
});

test('a test is long enough when its slowest level has seen every document, and twenty of them', () => {
  const seen = (documents: number, quarantined = 0) => ({
    quarantined,
    documents: Array.from({ length: documents }, () => aDocument()),
  });
  assert.equal(missingTime([seen(40), seen(50)], 40), 1);
  assert.equal(missingTime([seen(10, 5), seen(50)], 60), 4);
  assert.equal(missingTime([seen(5), seen(50)], 3), 4);
  assert.equal(missingTime([seen(0)], 3), 20);
});

test('an axis is marked by round numbers from nothing to beyond the largest', () => {
  assert.deepEqual(roundTicks(1.55), [0, 0.5, 1, 1.5, 2]);
  assert.deepEqual(roundTicks(0.3), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(roundTicks(11), [0, 5, 10, 15]);
  assert.deepEqual(roundTicks(5), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(roundTicks(1234), [0, 500, 1000, 1500]);
  assert.deepEqual(roundTicks(0), [0, 1]);
  assert.deepEqual(roundTicks(Number.NaN), [0, 1]);
});
