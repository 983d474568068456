import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTrial, type TriedDocument } from '../../../src/domain/comparison/judge-trial.ts';
import { compareReadings } from '../../../src/domain/comparison/compare-readings.ts';
import { trialPage } from '../../../src/report/trial/trial-page.ts';
import { compared, tried } from '../../domain/comparison/tried.ts';

const OPTIONS = { title: 'Trial 7', madeAt: '2026-11-30T10:00:00.000Z', madeBy: 'docket 0.1.0' };

function pageOf(documents: readonly TriedDocument[], reason = 'less noise'): string {
  return trialPage(
    {
      trial: 7,
      version: 2,
      reason,
      startedBy: 'anna',
      startedAt: '2026-11-30T09:00:00Z',
      documents,
      judgement: judgeTrial(2, documents),
    },
    OPTIONS,
  );
}

const words = (text: string) => ({
  pageNo: 1,
  width: 1000,
  height: 1400,
  verdict: 'text',
  confidence: 90,
  words: text.split(' ').map((word, at) => [word, 90, 10, at * 100, 200, at * 100 + 40] as const),
});

test('a page has the verdict, the counts of each kind and document, and a box where a word differs, without the word', async () => {
  const comparison = await compareReadings([words('gross SECRET4711 kg')], [words('gross SECRET4712 kg')]);
  const page = pageOf([
    {
      ...tried('11111111-1111-8111-8111-111111111111', {}, 'bill_of_lading'),
      compared: { ...compared(), ...comparison, failedGates: ['VALIDATION_REJECTED'] },
    },
    tried('22222222-2222-8222-8222-222222222222', {}, 'cmr_note'),
    tried('33333333-3333-8333-8333-333333333333', { outcome: 'failed', code: 'OCR_TIMEOUT' }, 'cmr_note'),
  ]);
  assert.doesNotMatch(page, /SECRET/);
  assert.match(
    page,
    /<div class="note bad"><p>Worse: of 3 documents that are published, 1 would be quarantined/,
  );
  assert.match(
    page,
    /<rect class="c" x="10" y="100" width="190" height="40">|<rect class="c" x="10" y="100" width="190" height="40"\/>/,
  );
  assert.match(page, /viewBox="0 0 1000 1400"/);
  assert.match(page, /Page 1: 1 of 3 words differ, 1 of 1 fields; confidence 90\.0 → 90\.0/);
  assert.match(page, /<th scope="row">bill of lading<\/th>/);
  assert.match(page, /<code>OCR_TIMEOUT<\/code>/);
  assert.match(page, /href="#d0"><code>11111111/);
  assert.equal(page.match(/<article/g)?.length, 1);
  assert.doesNotMatch(page, /(?:src|href)="(?!#)/);
});

test('hostile text in every field stays text', () => {
  const evil = '<script>alert(1)</script>"\'&';
  const page = pageOf([tried(evil, { outcome: evil, code: evil }, evil)], evil);
  assert.equal(page.match(/<script>/g)?.length, 1);
  assert.ok(!page.includes('alert(1)</script>'));
});
