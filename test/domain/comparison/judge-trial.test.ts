import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTrial, worstFirst } from '../../../src/domain/comparison/judge-trial.ts';
import { trialTotals } from '../../../src/domain/comparison/trial-totals.ts';
import { compared, tried } from './tried.ts';

test('a trial that reads everything to the letter as published says so', () => {
  const { verdict, statement } = judgeTrial(2, [tried('a', {}), tried('b', {})]);
  assert.equal(verdict, 'same');
  assert.equal(statement, 'The same: OCR configuration 2 reads 2 documents to the letter as published.');
});

test('documents that would be quarantined make it worse, whatever confidence says', () => {
  const { verdict, statement } = judgeTrial(2, [
    tried('a', { confidenceAfter: 99 }),
    tried('b', { failedGates: ['VALIDATION_REJECTED', 'PAGE_COUNT_MISMATCH'] }),
    tried('c', { failedGates: ['VALIDATION_REJECTED'] }),
  ]);
  assert.equal(verdict, 'worse');
  assert.equal(
    statement,
    'Worse: of 3 documents that are published, 2 would be quarantined (VALIDATION_REJECTED 2, PAGE_COUNT_MISMATCH 1).',
  );
});

test('what the engine cannot read makes it worse; what could not be fetched says nothing of it', () => {
  const [a, b] = [tried('a', {}), tried('b', {})];
  const crashed = judgeTrial(2, [a, tried('c', { outcome: 'failed', code: 'OCR_TIMEOUT' })]);
  assert.equal(crashed.verdict, 'worse');
  assert.equal(
    crashed.statement,
    'Worse: of 2 documents that are published, 1 could not be read (OCR_TIMEOUT).',
  );
  const away = judgeTrial(2, [a, b, tried('c', { outcome: 'failed', code: 'OBJECT_NOT_FOUND' })]);
  assert.equal(away.verdict, 'same');
  assert.equal(
    away.statement,
    'The same: OCR configuration 2 reads 2 documents to the letter as published. 1 document could not be compared, which says nothing of it.',
  );
});

test('more confidence with as many words looks better, less of either looks worse, and neither is called right', () => {
  const differs = { characterEdits: 12, wordsKept: 95, fieldsKept: 9 };
  const better = judgeTrial(2, [tried('a', { ...differs, confidenceAfter: 93 })]);
  assert.equal(better.verdict, 'looks_better');
  assert.equal(
    better.statement,
    'Looks better: 2.4 % of the text and 1 of 10 numbers, dates and weights are read otherwise; confidence 90.0 → 93.0, words 100 → 100. Which reading is right only the paper tells.',
  );
  assert.equal(judgeTrial(2, [tried('a', { ...differs, confidenceAfter: 88 })]).verdict, 'looks_worse');
  assert.equal(
    judgeTrial(2, [tried('a', { ...differs, confidenceAfter: 99, wordsAfter: 90 })]).verdict,
    'looks_worse',
  );
  assert.equal(judgeTrial(2, [tried('a', { ...differs, confidenceAfter: 90.5 })]).verdict, 'differs');
  assert.equal(
    judgeTrial(2, [tried('a', { ...differs, pagesAfter: 0, confidenceAfter: 99 })]).verdict,
    'looks_worse',
  );
});

test('while documents wait it is under way, unless it is worse already', () => {
  const waits = tried('z', { outcome: null });
  const open = judgeTrial(2, [tried('a', {}), waits]);
  assert.deepEqual(
    [open.verdict, open.statement],
    ['under_way', 'Under way: 1 of 2 documents are compared.'],
  );
  const worse = judgeTrial(2, [tried('a', { failedGates: ['VALIDATION_REJECTED'] }), waits]);
  assert.deepEqual(
    [worse.verdict, worse.statement],
    [
      'worse',
      'Worse: of 1 document that is published, 1 would be quarantined (VALIDATION_REJECTED 1). 1 of 2 documents still wait.',
    ],
  );
  assert.equal(judgeTrial(2, [tried('a', { outcome: 'disposed' })]).verdict, 'nothing');
});

test('confidence is weighed by pages, time only where it is known, and a gate counts once a document', () => {
  const totals = trialTotals([
    compared({ pagesBefore: 1, pagesAfter: 1, confidenceBefore: 90, secondsBefore: 2, secondsAfter: 1 }),
    compared({ pagesBefore: 3, pagesAfter: 3, confidenceBefore: 50, secondsBefore: 4, secondsAfter: 2 }),
    compared({
      pagesBefore: 0,
      secondsBefore: null,
      secondsAfter: 1000,
      failedGates: ['VALIDATION_REJECTED', 'VALIDATION_REJECTED'],
    }),
  ]);
  assert.equal(totals.confidenceBefore, 60);
  assert.equal(totals.timeRatio, 0.5);
  assert.deepEqual([totals.failedGates, totals.failing], [{ VALIDATION_REJECTED: 1 }, 1]);
  assert.equal(trialTotals([compared({ secondsBefore: null })]).timeRatio, null);
});

test('the worst come first: unread, failing a gate, fields lost, text that differs, and then what is no reading at all', () => {
  const documents = [
    tried('same', {}),
    tried('gone', { outcome: 'disposed' }),
    tried('text', { characterEdits: 50 }),
    tried('fields', { characterEdits: 2, fieldsKept: 8 }),
    tried('gate', { failedGates: ['VALIDATION_REJECTED'] }),
    tried('unread', { outcome: 'failed', code: 'OCR_CRASHED' }),
  ];
  assert.deepEqual(
    worstFirst(documents).map(({ jobId }) => jobId),
    ['unread', 'gate', 'fields', 'text', 'same', 'gone'],
  );
});
