import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportCheck, ReportProof } from '../../src/report/report.ts';
import { aDocument, written } from './sample-report.ts';

const GOOD: ReportCheck = {
  checked: 'event hashes',
  count: 118,
  failed: 0,
  firstOffender: null,
  expected: null,
  found: null,
};
const BAD: ReportCheck = {
  ...GOOD,
  failed: 1,
  firstOffender: 'e5f360dd event 2',
  expected: 'ab'.repeat(32),
  found: 'cd'.repeat(32),
};

function aProof(change: Partial<ReportProof> = {}): ReportProof {
  return {
    checks: [GOOD],
    copies: ['file host:/data/checkpoints.jsonl: 3 checkpoints'],
    claim: ['The log agrees with itself.', 'A copy is as safe as its place.'],
    replay: { passed: 15, failed: 0, unchecked: 0 },
    tampers: [{ what: 'the reason of event 2', found: [BAD] }],
    ...change,
  };
}

test('a proof shows what was checked, what it proves, the replay, and what was planted and found', async () => {
  const page = await written([aDocument()], aProof());
  assert.match(page, /<span class="badge good">verified<\/span>/);
  assert.match(page, /<p>The log agrees with itself\.<\/p><p>A copy is as safe as its place\.<\/p>/);
  assert.match(page, /<li><bdi>file host:\/data\/checkpoints\.jsonl: 3 checkpoints<\/bdi><\/li>/);
  assert.match(page, /15 fetched, hashed and compared with the log, and found to be what was published\./);
  assert.match(page, /A superuser changed the reason of event 2\. Verification then named it:/);
  assert.match(
    page,
    /<td><bdi>e5f360dd event 2<\/bdi><\/td>\n<td><code class="hash">(ab){14}…<\/code><\/td>/,
  );
});

test('a failed check, a change that was not found and a failed replay are not shown as good', async () => {
  const tampers = [{ what: 'the text of page 1', found: [] }];
  const replay = { passed: 13, failed: 1, unchecked: 1 };
  const page = await written([aDocument()], aProof({ checks: [GOOD, BAD], copies: [], tampers, replay }));
  assert.match(page, /<span class="badge bad">not what it was<\/span>/);
  assert.match(page, /None: no more is claimed than that the log agrees with itself\./);
  assert.match(page, /1 are not what was published; 1 could not be looked at\./);
  assert.match(page, /<p class="note bad">A superuser changed the text of page 1: it was not found\.<\/p>/);
});

test('hostile text in a proof stays text', async () => {
  const evil = '<script>alert(1)</script>';
  const check = { ...BAD, checked: evil, firstOffender: evil, expected: evil, found: evil };
  const tampers = [{ what: evil, found: [check] }];
  const page = await written(
    [aDocument()],
    aProof({ checks: [check], copies: [evil], claim: [evil, evil], tampers }),
  );
  assert.doesNotMatch(page, /<script>alert/);
});

test('without a proof nothing is said of one', async () => {
  assert.doesNotMatch(await written([aDocument()]), /id="proof"/);
});
