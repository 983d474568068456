import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CliHome } from './run-docket.ts';

let home: CliHome;
before(async () => {
  home = await CliHome.make();
});
after(() => home.remove());

test('an error is one line and a hint on standard error, and nothing on standard output', async () => {
  const ended = await home.docket(['status']);
  assert.equal(ended.code, 4);
  assert.equal(ended.stdout, '');
  assert.match(
    ended.stderr,
    /^docket: CLUSTER_NOT_FOUND: there is no database in [^\n]+\n {2}hint: [^\n]+\n$/,
  );
});

test('a wrong setting is a matter of configuration, told without a password', async () => {
  const ended = await home.docket(['status'], { DOCKET_DATABASE_URL: 'mysql://me:secret@host/db' });
  assert.equal(ended.code, 3);
  assert.match(ended.stderr, /CONFIG_INVALID.*\n.*DOCKET_DATABASE_URL/);
  assert.doesNotMatch(ended.stderr, /secret/);
});

test('with the logins of a worker alone, everything but a worker is refused', async () => {
  const workers = {
    DOCKET_WORKER_URL: 'postgres://docket_worker@127.0.0.1:9/docket',
    DOCKET_QUEUE_URL: 'postgres://docket_queue@127.0.0.1:9/docket',
  };
  for (const verb of ['status', 'up', 'migrate', 'doctor']) {
    const { error } = await home.json<{ error: { code: string; hint: string } }>([verb], 3, workers);
    assert.equal(error.code, 'CONFIG_INVALID');
    assert.match(error.hint, /set DOCKET_DATABASE_URL/);
  }
});

test('a server that does not answer is not the fault of the command, and what can still be looked at is told', async () => {
  const away = { DOCKET_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/docket' };
  for (const args of [['status'], ['top', '--once']]) {
    const { error } = await home.json<{ error: { code: string; hint: string } }>(args, 4, away);
    assert.equal(error.code, 'DATABASE_UNAVAILABLE');
    assert.match(error.hint, /next: docket doctor/);
  }
});

test('unknown commands and options are errors of usage, and help is none', async () => {
  const unknown = await home.json<{ error: { code: string; message: string } }>(['frobnicate'], 2);
  assert.equal(unknown.error.code, 'USAGE');
  const option = await home.docket(['status', '--loud']);
  assert.equal(option.code, 2);
  assert.match(option.stderr, /USAGE: unknown option '--loud'/);
  const nothing = await home.docket([]);
  assert.equal(nothing.code, 2);
  const help = await home.docket(['submit', '--help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--captured-at <time>/);
});

test('what is wrong is named as it is typed', async () => {
  const messageOf = async (...words: string[]) =>
    (await home.json<{ error: { message: string } }>(words, 2)).error.message;
  assert.equal(
    await messageOf('trust', 'add', 'carrier-a', 'key.pem', '--valid-from', 'yesterday'),
    '--valid-from: expected a time such as 2026-03-01T09:30:00Z',
  );
  assert.equal(
    await messageOf('submit', 'scan.png', '--number', '0'),
    '--number: expected a whole number from 1',
  );
  assert.match(await messageOf('signatures', 'recheck', 'x'), /^jobs: expected a job id/);
});

test('every group of verbs says what it is about', async () => {
  const { stdout } = await home.docket(['--help']);
  const listed = stdout
    .slice(stdout.indexOf('Commands:'))
    .split(/\n {2}(?=\S)/)
    .slice(1);
  assert.ok(listed.length > 20);
  for (const entry of listed) assert.match(entry, /^\w+.*? {2,}[A-Z]/, entry);
});
