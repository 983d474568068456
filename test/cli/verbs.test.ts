import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

interface Failure {
  error: { code: string; message: string; hint: string | null };
}

interface Submission {
  submitted: number;
  duplicates: number;
  jobs: number;
  documents: { file: string; job_id: string; sha256: string; state?: string; code?: string | null }[];
}

const GOOD = CliHome.corpus('12-weighbridge-ticket-phone.jpg');
const BAD = CliHome.corpus('17-cut-short.jpg');

let home: CliHome;
let stack: Running;
let good = '';
let bad = '';

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
});
after(() => home.remove());

const fails = async (args: readonly string[], exitCode: number) => {
  const { error } = await home.json<Failure>(args, exitCode);
  assert.equal(typeof error.message, 'string');
  return error;
};

test('up says that it is ready, where its data lie and how to look into them', () => {
  assert.equal(stack.first['state'], 'ready');
  assert.equal(stack.first['data_dir'], join(home.folder, 'data'));
  assert.match(String(stack.first['connect']), /^psql 'postgres:\/\/postgres@\/docket\?host=/);
});

test('migrating a database that is up to date applies nothing and lists what is not in force', async () => {
  const report = await home.json<{ applied: string[]; limitations: { step: string }[] }>(['migrate']);
  assert.deepEqual(report.applied, []);
  assert.deepEqual(
    report.limitations.map((one) => one.step),
    ['"postgres" can become docket_owner'],
  );
});

test('two files that are submitted and waited for end published and quarantined, with exit code 7', async () => {
  const answer = await home.json<Submission>(['submit', GOOD, BAD, GOOD, '--wait'], 7);
  assert.equal(answer.submitted, 3);
  assert.equal(answer.duplicates, 1);
  assert.equal(answer.jobs, 2);
  assert.deepEqual(
    answer.documents.map(({ file, state, code }) => [file, state, code]),
    [
      [GOOD, 'published', null],
      [BAD, 'quarantined', 'TRUNCATED'],
      [GOOD, 'published', null],
    ],
  );
  const sha256 = createHash('sha256')
    .update(await readFile(GOOD))
    .digest('hex');
  assert.equal(answer.documents[0]?.sha256, sha256);
  good = answer.documents[0].job_id;
  bad = answer.documents[1]!.job_id;
});

test('the published text is printed by job id and by hash, whole and by page', async () => {
  const why = ['--reason', 'to compare it with the paper'];
  const { pages } = await home.json<{ pages: { page_no: number; text: string }[] }>(['text', good, ...why]);
  assert.equal(pages.length, 1);
  assert.match(pages[0]!.text, /WEIGHBRIDGE/);
  const hash = createHash('sha256')
    .update(await readFile(GOOD))
    .digest('hex');
  const plain = await home.docket(['text', hash, '--page', '1', ...why]);
  assert.equal(plain.stdout, `${pages[0]!.text}\n`);
  assert.equal((await fails(['text', good, '--page', '2', ...why], 5)).code, 'PAGE_NOT_FOUND');
  assert.equal((await fails(['text', bad, ...why], 5)).code, 'NOT_PUBLISHED');
});

test('the status counts documents by state, and says all about one', async () => {
  const overall = await home.json<{
    deliveries: number;
    workers: number;
    states: { state: string; documents: number; oldest_seconds: number | null }[];
    quarantined: unknown;
    sealing: {
      size: number;
      unsealed_events: number;
      code: string | null;
      sealed_at: string;
      checkpoint_fork: string | null;
    };
  }>(['status']);
  assert.equal(overall.deliveries, 3);
  assert.equal(overall.workers, 1);
  const counts = Object.fromEntries(overall.states.map((row) => [row.state, row.documents]));
  assert.deepEqual(counts, { accepted: 0, running: 0, validated: 0, published: 1, quarantined: 1 });
  assert.deepEqual(overall.quarantined, [{ code: 'TRUNCATED', documents: 1 }]);
  assert.ok(overall.sealing.size > 0);
  assert.equal(overall.sealing.code, null);
  assert.match(overall.sealing.sealed_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(overall.sealing.checkpoint_fork, null);

  const one = await home.json<Record<string, unknown>>(['status', bad]);
  assert.equal(one['state'], 'quarantined');
  assert.equal(one['source_id'], 'local');
  assert.equal((one['failure'] as { code: string }).code, 'TRUNCATED');
  assert.deepEqual(
    (one['attempts'] as { task: string; outcome: string }[]).map((row) => [row.task, row.outcome]),
    [
      ['hash', 'done'],
      ['ocr', 'failed'],
    ],
  );
});

test('the timeline shows every event in order, recorded for the login that delivered', async () => {
  const { events } = await home.json<{ events: { event: string; actor: string; at: string }[] }>([
    'timeline',
    good,
  ]);
  const steps = events.map((event) => event.event).filter((event) => event !== 'delivered_again');
  const course = ['accepted', 'admitted', 'verified', 'started', 'extracted', 'published'];
  assert.deepEqual(steps, [...course, ...Array<string>(3).fill('text_read')]);
  assert.equal(events[0]?.actor, 'docket_local');
  assert.match(events[0].at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('a quarantined document is released for a reason only, and a published one never', async () => {
  const release = ['quarantine', 'release'];
  assert.equal((await fails([...release, bad], 2)).code, 'USAGE');
  assert.equal((await fails([...release, bad, '--reason', ' '], 6)).code, 'ZD021');
  assert.equal((await fails([...release, good, '--reason', 'to see'], 6)).code, 'ZD002');
  const released = await home.json<unknown>([...release, bad, '--reason', 'the scanner was repaired']);
  assert.deepEqual(released, { documents: [{ job_id: bad, state: 'accepted' }] });
});

test('a source is added with its login, rotated to another one, disabled and enabled', async () => {
  const added = await home.json<Record<string, unknown>>([
    'source',
    'add',
    'carrier-a',
    '--login',
    'carrier_a',
  ]);
  assert.equal(added['created'], true);
  assert.equal(added['password'], null, 'the private socket needs none');
  const again = await home.json<Record<string, unknown>>([
    'source',
    'add',
    'carrier-a',
    '--login',
    'carrier_a',
  ]);
  assert.equal(again['created'], false);
  const rotated = await home.json<Record<string, unknown>>([
    'source',
    'rotate',
    'carrier-a',
    '--login',
    'carrier_b',
  ]);
  assert.deepEqual(rotated['removed'], ['carrier_a']);
  await home.json(['source', 'disable', 'carrier-a']);
  const { sources } = await home.json<{ sources: { source: string; enabled: boolean; logins: string[] }[] }>([
    'source',
    'list',
  ]);
  const listed = sources.find((one) => one.source === 'carrier-a');
  assert.deepEqual([listed?.enabled, listed?.logins], [false, ['carrier_b']]);
  await home.json(['source', 'enable', 'carrier-a']);
  assert.equal((await fails(['submit', GOOD, '--source', 'carrier-a'], 6)).code, 'ZD010');
  assert.equal((await fails(['source', 'rotate', 'carrier-z', '--login', 'x'], 5)).code, 'ZD023');
  assert.equal((await fails(['source', 'add', 'Carrier Z', '--login', 'x'], 6)).code, 'ZD025');
});

test('a reader of a source is made, listed and kept apart from those who deliver for it', async () => {
  assert.equal((await fails(['source', 'add', 'carrier-r', '--reader', 'ana'], 5)).code, 'ZD023');
  await home.json(['source', 'add', 'carrier-r', '--login', 'carrier_r']);
  const added = await home.json<Record<string, unknown>>(['source', 'add', 'carrier-r', '--reader', 'ana']);
  assert.deepEqual([added['login'], added['may_deliver'], added['created']], ['ana', false, true]);
  const rotated = await home.json<Record<string, unknown>>([
    'source',
    'rotate',
    'carrier-r',
    '--login',
    'carrier_r2',
  ]);
  assert.deepEqual(rotated['removed'], ['carrier_r']);
  const { sources } = await home.json<{ sources: Record<string, unknown>[] }>(['source', 'list']);
  const listed = sources.find((one) => one['source'] === 'carrier-r');
  assert.deepEqual([listed?.['logins'], listed?.['readers']], [['carrier_r2'], ['ana']]);
  assert.equal((await fails(['source', 'add', 'carrier-r', '--reader', 'carrier_r'], 5)).code, 'ZD024');
  assert.equal((await fails(['source', 'add', 'carrier-r'], 2)).code, 'USAGE');
  assert.equal(
    (await fails(['source', 'add', 'carrier-r', '--login', 'a', '--reader', 'b'], 2)).code,
    'USAGE',
  );
});

test('the doctor finds every chain intact and names who could change history', async () => {
  const report = await home.json<{
    ok: boolean;
    can_become_owner: { login: string }[];
    verification: { checked: string; count: number; failed: number }[];
  }>(['doctor']);
  assert.equal(report.ok, true);
  assert.deepEqual(
    report.can_become_owner.map((one) => one.login),
    ['postgres'],
  );
  assert.ok(report.verification.every((row) => row.failed === 0));
  assert.equal(report.verification.find((row) => row.checked === 'job heads')?.count, 2);
});

test('the doctor counts the connections that workers need, and says what to do where they are too few', async () => {
  type Need = { workers: number; each: number; needed: number; available: number; finding: object | null };
  const ask = async (io: number) =>
    (await home.json<{ connections: Need }>(['doctor'], 0, slotsOf(io))).connections;
  const slotsOf = (io: number) => ({
    ...{ DOCKET_IO_SLOTS: String(io), DOCKET_OCR_SLOTS: '2', DOCKET_OCR_RESERVED_SLOTS: '1' },
  });
  const enough = await ask(4);
  // 4 + 2 + 1 slots and 16 beside them.
  assert.deepEqual([enough.each, enough.needed, enough.finding], [23, 23 * enough.workers, null]);
  const few = await ask(300);
  assert.equal(few.each, 319);
  assert.ok(few.needed > few.available);
  const { stdout } = await home.docket(['doctor'], slotsOf(300));
  assert.match(
    stdout,
    /^PROBLEM {2}connections: too few connections: .* up to 319.*\n {2}so under load the server refuses connections/m,
  );
  assert.match(stdout, /^ {2}set max_connections to \d+ or more and restart the server/m);
});

test('verification finds nothing wrong, and says up to where the file of checkpoints vouches for it', async () => {
  const report = await eventually('everything is sealed and vouched for', async () => {
    const answer = await home.json<Record<string, unknown>>(['verify']);
    return answer['vouched_for'] === answer['size'] && answer['unsealed'] === 0 && answer;
  });
  assert.equal(report['verified'], true);
  assert.equal(report['claim'], 'extends_outside_copies');
  const [copy] = report['copies'] as { kind: string; signed_by: string; size: number }[];
  assert.deepEqual([copy?.kind, copy?.signed_by, copy?.size], ['file', 'key_file', report['size']]);
  const checks = report['checks'] as { checked: string; failed_count: number }[];
  assert.ok(checks.every((check) => check.failed_count === 0));
  assert.ok(checks.some((check) => check.checked === 'installed functions'));
});

test('mistakes are told apart by their exit codes', async () => {
  const nobody = '00000000-0000-8000-8000-000000000000';
  assert.equal((await fails(['text', nobody, '--reason', 'to see'], 5)).code, 'ZD020');
  assert.equal((await fails(['timeline', nobody], 5)).code, 'ZD020');
  assert.equal((await fails(['status', 'not-an-id'], 2)).code, 'USAGE');
  assert.equal((await fails(['submit', join(home.folder, 'nothing.png')], 5)).code, 'FILE_NOT_FOUND');
  assert.equal((await fails(['submit', GOOD, '--kind', 'poem'], 6)).code, 'ZD015');
  assert.equal((await fails(['submit', GOOD, '--captured-at', 'tomorrow-ish'], 2)).code, 'USAGE');
});
