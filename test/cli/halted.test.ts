import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { CliHome } from './run-docket.ts';

const SCAN = CliHome.corpus('12-weighbridge-ticket-phone.jpg');

const home = await CliHome.make();
after(() => home.remove());
await home.start(['up']);
const because = ['--reason', 'the books are done'];

test('the status names what somebody halted, the worst first, with who, since when and the next command', async () => {
  const { stdout: open } = await home.docket(['status']);
  assert.match(open, /^Docket at \S+ \S+Z: nothing is wrong\.\n/);
  await home.json(['admission', 'close', 'kind:unknown', ...because]);
  await home.json(['pool', 'set', 'ocr', '--fleet', '0', ...because]);
  await home.json(['pool', 'set', 'io', '--fleet', '5', ...because]);
  await home.json(['admission', 'close', '--for', '2 hours', ...because]);
  const { stdout } = await home.docket(['status']);
  const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ';
  const since = 'since \\d\\d:\\d\\d:\\d\\dZ, \\d+ (s|min)';
  const expected = [
    `Docket at ${time}: 2 alerts, 1 warning, the worst first\\.`,
    `ALERT Admission is closed to all, set by postgres: the books are done\\. It ends by itself at ${time}\\.`,
    `→ docket admission open all --reason '\\.\\.\\.' ${since}`,
    `ALERT The pool ocr has no slots, set by postgres: the books are done\\.`,
    `→ docket undo 2 --reason '\\.\\.\\.' ${since}`,
    `WARNING Admission is closed to kind:unknown, set by postgres: the books are done\\.`,
    `→ docket admission open kind:unknown --reason '\\.\\.\\.' ${since}`,
    'state documents oldest',
  ];
  assert.match(stdout.replace(/\s+/g, ' '), new RegExp(`^${expected.join(' ')}`));
  const { halted } = await home.json<{ halted: { target: string; change: number }[] }>(['status']);
  assert.deepEqual(
    halted.map(({ target, change }) => [target, change]),
    [
      ['all', 4],
      ['ocr', 2],
      ['kind:unknown', 1],
    ],
  );
});

test('draining says what it waits for, that admission stays closed when it is interrupted, and that somebody opened it', async () => {
  await home.json(['admission', 'open', 'kind:unknown', ...because]);
  await home.json(['admission', 'open', ...because]);
  const submitted = await home.json<{ documents: { job_id: string }[] }>(['submit', SCAN]);
  await eventually('the document waits for a slot', async () => {
    const { reasons } = await home.json<{ reasons: { cause: string }[] }>([
      'why',
      submitted.documents[0]!.job_id,
    ]);
    // What explains it goes first.
    return reasons.map(({ cause }) => cause).join() === 'pool,due';
  });

  const interrupted = drain();
  await eventually('it says what it waits for', () => interrupted.said().includes('pool ocr'));
  interrupted.child.kill('SIGINT');
  assert.equal(await interrupted.ended, 130);
  assert.match(
    interrupted.said(),
    /waits for the pool ocr, which has no slots: docket undo 2 --reason '\.\.\.'/,
  );
  assert.match(interrupted.said(), /still under way: 1\. Admission stays closed[^]*docket resume --reason/);

  const resumed = drain();
  await eventually('it waits', () => resumed.said().includes('pool ocr'));
  await home.json(['resume', ...because]);
  assert.equal(await resumed.ended, 8);
  assert.match(
    resumed.said(),
    /Somebody opened admission again: docket changes\. Nothing is drained; documents under way: 1\./,
  );
});

test('small changes are told as they are, and what is missing by the help of the verb', async () => {
  const text = async (...args: string[]) => (await home.docket([...args, ...because])).stdout;
  assert.match(await text('admission', 'open'), /^It was open already\.\n/);
  assert.match(
    await text('limit', 'set', 'all', '--documents-per-minute', '1'),
    /: 1 document a minute, 1 at once\. Before: none\.\nUndo it: docket undo \d+ --reason '\.\.\.'\n$/,
  );
  const refused = async (...args: string[]) =>
    (await home.json<{ error: { message: string; hint: string } }>(args, 2)).error;
  assert.equal((await refused('limit', 'set', 'all', ...because)).message, 'no limit of all is stated');
  assert.match(
    (await refused('pool', 'set', 'ocr', '--for', '2 years', ...because)).message,
    /at most a year/,
  );
  assert.equal((await refused('pool', 'set')).hint, 'docket pool set --help');
});

function drain() {
  const child = home.spawn(['drain', ...because]);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said, ended: once(child, 'close').then(([code]) => code as number) };
}
