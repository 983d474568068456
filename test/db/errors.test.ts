import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromDatabase, isFaultOfDatabase, isOutcomeUnknown, isUnavailable } from '../../src/db/errors.ts';
import { DocketError } from '../../src/errors.ts';

const raised = (code: string, message = 'what Postgres said', more = {}) =>
  Object.assign(new Error(message), { code, ...more });

test('an error that a command raised keeps its code, message and hint', () => {
  const error = fromDatabase(raised('ZD040', 'lease 1 has ended', { hint: 'Stop all work.' }));
  assert.deepEqual([error.code, error.message, error.hint], ['ZD040', 'lease 1 has ended', 'Stop all work.']);
});

test('an error that says when to try again has it as a number', () => {
  const error = fromDatabase(raised('ZD071', 'too many', { detail: 'retry after 17 s' }));
  assert.deepEqual(error.data, { sqlstate: 'ZD071', retryAfterSeconds: 17 });
});

test('everything that means "not now" is DATABASE_UNAVAILABLE', () => {
  const errors = [
    ...[
      '08006',
      '08001',
      '57P01',
      '57P02',
      '57P03',
      '53300',
      'ECONNREFUSED',
      'ECONNRESET',
      'ENOENT',
      'EPIPE',
    ].map((code) => raised(code)),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('Cannot use a pool after calling end on the pool'),
  ];
  for (const error of errors) assert.equal(isUnavailable(error), true, error.message);
});

test('other errors get a code that says whose fault it is, and name what Postgres named', () => {
  const codes = {
    '28P01': 'DATABASE_ACCESS_DENIED',
    '3D000': 'DATABASE_NOT_FOUND',
    '42883': 'DATABASE_NOT_MIGRATED',
    '42501': 'DATABASE_DENIED',
    '57014': 'DATABASE_TIMEOUT',
    '40P01': 'DATABASE_CONFLICT',
    '53100': 'DATABASE_EXHAUSTED',
    '23505': 'DATABASE_ERROR',
  };
  for (const [state, code] of Object.entries(codes)) assert.equal(fromDatabase(raised(state)).code, code);
  const error = fromDatabase(
    raised('23514', 'new row violates', { table: 'deliveries', constraint: 'a_rule' }),
  );
  assert.deepEqual(error.data, { sqlstate: '23514', table: 'deliveries', constraint: 'a_rule' });
});

test('a DocketError comes back as it is', () => {
  const error = new DocketError('STORE_DENIED', 'no');
  assert.equal(fromDatabase(error), error);
});

test('errors of the server are told from errors of what it was asked', () => {
  const servers = ['57014', '53100', '53300', '40P01', '42501', '25006', '58030', 'XX001', 'ECONNRESET'];
  const asked = ['22P05', '23514', '54000', 'P0001', 'XX000', 'ZD041'];
  for (const code of servers) assert.equal(isFaultOfDatabase(raised(code)), true, code);
  for (const code of asked) assert.equal(isFaultOfDatabase(raised(code)), false, code);
  assert.equal(isFaultOfDatabase(new DocketError('STORE_DENIED', 'no')), false);
});

test('a connection that broke leaves an unknown outcome; one that never came about does not', () => {
  const broken = [raised('57P01'), raised('ECONNRESET'), new Error('Connection terminated unexpectedly')];
  const neverThere = [
    raised('ECONNREFUSED'),
    raised('53300'),
    new Error('timeout exceeded when trying to connect'),
  ];
  assert.deepEqual(broken.map(isOutcomeUnknown), [true, true, true]);
  assert.deepEqual(neverThere.map(isOutcomeUnknown), [false, false, false]);
  assert.deepEqual(
    ['23505', '57014', 'ZD040'].map((code) => isOutcomeUnknown(raised(code))),
    [false, false, false],
  );
  assert.equal(isOutcomeUnknown(new TypeError('an answer that was not understood')), true);
});
