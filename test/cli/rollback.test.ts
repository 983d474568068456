import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

interface Shown {
  rollback: number;
  from: number;
  to: number;
  step: string;
  ordered_by: string;
  left: object | null;
  events: { event: string }[];
}

let home: CliHome;
let stack: Running;
let db: pg.Pool;

before(async () => {
  home = await CliHome.make({ DOCKET_OCR_SLOTS: '1', DOCKET_IO_SLOTS: '2' });
  stack = await home.start(['up']);
  const [, connect] = /'(.*)'/.exec(String(stack.first['connect'])) ?? [];
  db = new pg.Pool({ connectionString: connect });
});
after(async () => {
  await db.end();
  await stack.stop();
  await home.remove();
});

const because = ['--reason', 'it reads badly'];

test('where there is nothing to go back to, the command says so', async () => {
  const refused = await home.json<{ error: { code: string } }>(['rollback', ...because], 6);
  assert.equal(refused.error.code, 'ZD092');
  const none = await home.docket(['rollback', 'resume']);
  assert.match(none.stdout, /Nothing was rolled back yet/);
  assert.equal((await home.docket(['rollback', 'show', '1'])).code, 5);
});

test('the command follows a rollback to its end, tells its steps, and what was left; list, show and resume tell of it afterwards', async () => {
  await db.query(
    `select docket.add_ocr_version(null, '{"preparation": {"targetDpi": 100}}', '{}', '{}', 'quicker')`,
  );
  await db.query('update docket.ocr_choice set active_version = 2, activated_at = clock_timestamp()');
  const { code, stdout, stderr } = await home.docket(['rollback', ...because, '--drain', '30 s']);
  assert.equal(code, 0, stderr);
  for (const step of ['close', 'drain', 'restore', 'reopen'])
    assert.match(stderr, new RegExp(`^\\S+Z {2}Rollback 1, ${step}: `, 'm'));
  assert.match(stdout, /^Rollback 1, from OCR configuration 2 to 1: done, after \d+ s\.$/m);
  assert.match(stdout, /^Nothing is published as OCR configuration 2 read it\.$/m);

  const shown = await home.json<Shown>(['rollback', 'show', '1']);
  assert.deepEqual(
    [shown.rollback, shown.from, shown.to, shown.step, shown.ordered_by, shown.left],
    [1, 2, 1, 'done', 'postgres', { published: 0, validated: 0, quarantined: 0 }],
  );
  assert.deepEqual(
    shown.events.map(({ event }) => event),
    ['rollback_ordered', ...Array.from({ length: 4 }, () => 'rollback_advanced')],
  );
  const { rollbacks } = await home.json<{ rollbacks: Shown[] }>(['rollback', 'list']);
  assert.deepEqual(
    rollbacks.map(({ rollback, step }) => [rollback, step]),
    [[1, 'done']],
  );
  assert.match((await home.docket(['rollback', 'resume'])).stdout, /done, after/);
});
