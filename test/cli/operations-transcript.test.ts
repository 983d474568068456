import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

// The transcript of docs/operations.md is run, command by command, on a stack of its own; what it says is what is printed.

let home: CliHome;
let stack: Running;
let db: pg.Pool;
/** A document that the transcript sends back. */
let stopped: string;

before(async () => {
  home = await CliHome.make({ DOCKET_OCR_SLOTS: '2', DOCKET_OCR_RESERVED_SLOTS: '1', DOCKET_IO_SLOTS: '4' });
  stack = await home.start(['up']);
  const [, connect] = /'(.*)'/.exec(String(stack.first['connect'])) ?? [];
  db = new pg.Pool({ connectionString: connect });
  await copyFile(CliHome.corpus('12-weighbridge-ticket-phone.jpg'), join(home.folder, 'ticket.jpg'));
  stopped = await quarantine(CliHome.corpus('01-bill-of-lading.png'));
});
after(async () => {
  await db.end();
  await stack.stop();
  await home.remove();
});

/** Delivers a scan that ends as one does where the disk of a worker was full for too long. */
async function quarantine(file: string): Promise<string> {
  await db.query(
    `insert into docket.admission_gates (target, closed_by, reason) values ('all', 'test', 'test')`,
  );
  const { documents } = await home.json<{ documents: { job_id: string }[] }>(['submit', file]);
  const job = documents[0]!.job_id;
  await db.query(
    `select docket.record_events(array[$1::uuid], array['quarantined'], 'docket_worker', null, array['RETRY_EXHAUSTED'],
       null, array['{"code": "TEMP_STORAGE_FAILED"}'])`,
    [job],
  );
  await db.query(
    `update docket.jobs set first_code = 'TEMP_STORAGE_FAILED', last_code = 'RETRY_EXHAUSTED' where job_id = $1`,
    [job],
  );
  await db.query('delete from docket.admission_gates');
  return job;
}

/** The commands of the transcript, each with what it prints. */
async function transcript(): Promise<{ command: string; printed: string }[]> {
  const page = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const [, block] = /```console\n(.*?)```/s.exec(page) ?? [];
  return (block ?? '')
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.split('\n');
      return { command, printed: lines.join('\n').trim() };
    });
}

/** Times are of whoever ran it, and with them the width of columns. */
const timeless = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/ {2,}/g, '  ')
    .trim();

/** The arguments of a command line, of which some are in double quotes. */
const words = (command: string) =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const steps = await transcript();

test('the manual shows pools, limits, admission, draining, undoing and redriving', () => {
  const verbs = steps.map(({ command }) => words(command)[1]);
  assert.deepEqual([...new Set(verbs)].sort(), [
    'admission',
    'changes',
    'drain',
    'limit',
    'pool',
    'redrive',
    'resume',
    'submit',
    'undo',
  ]);
});

for (const [at, { command, printed }] of steps.entries()) {
  test(`step ${String(at + 1)} of the manual prints what it shows: ${command}`, async () => {
    const [program, ...args] = words(command);
    assert.equal(program, 'docket');
    const expected = timeless(printed);
    const run = async () => {
      const { code, stdout, stderr } = await home.docket(args);
      assert.equal(code, 0, stderr);
      return timeless(stdout);
    };
    // What is done is done once; what is looked at follows within seconds.
    let seen = await run();
    if (args.includes('list') || args.includes('show')) {
      for (let looks = 1; looks < 10 && seen !== expected; looks += 1) seen = await run();
    }
    assert.equal(seen, expected);
  });
}

test('what the manual sends back is published, and so is what waited', async () => {
  await eventually('both documents are published', async () => {
    const { rows } = await db.query<{ state: string }>('select state from docket.jobs');
    return rows.length === 2 && rows.every((row) => row.state === 'published');
  });
  const { rows } = await db.query<{ event: string }>(
    `select event from docket_audit.events where job_id = $1 and event in ('redriven', 'published') order by seq`,
    [stopped],
  );
  assert.deepEqual(
    rows.map((row) => row.event),
    ['redriven', 'published'],
  );
});
