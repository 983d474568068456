import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSettings, loadConfig } from '../src/config.ts';
import { DocketError } from '../src/errors.ts';

test('an empty environment gives a complete configuration that cannot be changed', () => {
  const config = loadConfig({});
  assert.equal(config.databaseUrl, undefined);
  assert.equal(config.ioSlots, 10);
  assert.ok(config.ocrSlots >= 1);
  assert.equal(config.store, `file:${config.dataDir}/objects`);
  assert.throws(() => Object.assign(config, { ioSlots: 2 }), TypeError);
});

test('values are taken from the environment, paths become absolute, and empty means unset', () => {
  const config = loadConfig({
    DOCKET_IO_SLOTS: '3',
    DOCKET_STORE: 'file:scans',
    DOCKET_DATA_DIR: '',
    DOCKET_STOP_GRACE_SECONDS: '2',
    HOME: '/root',
  });
  assert.equal(config.ioSlots, 3);
  assert.equal(config.store, `file:${process.cwd()}/scans`);
  assert.equal(config.dataDir, `${process.cwd()}/.docket`);
  assert.equal(config.stopGraceMs, 2000);
});

test('every problem is listed at once, misspelt names too, and no connection string is repeated', () => {
  const environment = {
    DOCKET_IO_SLOTS: 'many',
    DOCKET_OCR_SLOTS: '0',
    DOCKET_PG_PORT: '80',
    DOCKET_LOG_LEVEL: 'loud',
    DOCKET_STORE: 'ftp://x',
    DOCKET_STOER: 'file:x',
    DOCKET_DATABASE_URL: 'mysql://user:secret@host',
  };
  assert.throws(
    () => loadConfig(environment),
    (error) => {
      assert.ok(error instanceof DocketError);
      assert.equal(error.code, 'CONFIG_INVALID');
      for (const name of Object.keys(environment)) assert.match(error.message, new RegExp(`${name}: `));
      assert.match(error.message, /DOCKET_IO_SLOTS: expected a whole number, received "many"/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    },
  );
});

test('the logins of a worker are enough without the installing login, but only both of them', () => {
  const workers = {
    DOCKET_WORKER_URL: 'postgres://w@host/docket',
    DOCKET_QUEUE_URL: 'postgres://q@host/docket',
  };
  assert.equal(loadConfig(workers).databaseUrl, undefined);
  for (const [name, missing] of [
    ['DOCKET_WORKER_URL', 'DOCKET_QUEUE_URL'],
    ['DOCKET_QUEUE_URL', 'DOCKET_WORKER_URL'],
  ] as const) {
    assert.throws(() => loadConfig({ [name]: workers[name] }), {
      code: 'CONFIG_INVALID',
      message: new RegExp(`${missing}: expected`),
    });
    loadConfig({ [name]: workers[name], DOCKET_DATABASE_URL: 'postgres://o@host/docket' });
  }
});

test('every setting has a meaning for the manual', () => {
  for (const { name, meaning } of describeSettings()) assert.match(meaning, /^[A-Z].*\.$/, name);
});
