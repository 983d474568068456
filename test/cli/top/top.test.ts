import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../support/eventually.ts';
import { CliHome } from '../run-docket.ts';
import { hasScript, inTerminal, type InTerminal } from './in-terminal.ts';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';

const home = await CliHome.make();
const terminals: InTerminal[] = [];
after(async () => {
  for (const terminal of terminals) terminal.destroy();
  await home.remove();
});
const stack = await home.start(['up']);
const withoutTerminal = hasScript() ? {} : { skip: 'there is no script of util-linux here' };

async function start(args: readonly string[], settings: Record<string, string> = {}): Promise<InTerminal> {
  const folder = await mkdtemp(join(home.folder, 'terminal-'));
  const terminal = await inTerminal(folder, args, {
    DOCKET_DATA_DIR: join(home.folder, 'data'),
    ...settings,
  });
  terminals.push(terminal);
  return terminal;
}

/** The frames that were drawn, without their looks. */
function frames(terminal: InTerminal): string[] {
  const [, drawn = ''] = terminal.written().split(ENTER);
  return drawn
    .split('\u001b[H')
    .slice(1)
    .map((frame) => frame.replace(/\u001b\[[\d;?]*[a-zA-Z]/g, '').replaceAll('\r', ''));
}

const until = (what: string, terminal: InTerminal, is: (frame: string) => boolean) =>
  eventually(what, () => frames(terminal).some(is), { withinMs: 60_000 });

test('one look is printed, with the lanes and the worker, and the same as JSON', async () => {
  const { stdout, code } = await home.docket(['top', '--once']);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Docket \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ, by lanes +1 worker on 1 host, 0 attempts under way\n/,
  );
  assert.match(stdout, /\nsignature_critical +-.*\nstandard +-/);
  assert.ok(!stdout.includes('\u001b'));
  const json = await home.json<{ workers: { pid: number; version: string }[]; troubles: unknown[] }>([
    'top',
    '--once',
  ]);
  assert.deepEqual([json.workers.map(({ pid }) => pid), json.troubles], [[stack.child.pid], []]);
  assert.match(json.workers[0]!.version, /^\d+\.\d+\.\d+/);
});

test('without a terminal frame follows on frame, until it is told to stop', async () => {
  const child = home.spawn(['top', '--every', '2s']);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const count = () => said.split('\n').filter((line) => line.startsWith('Docket ')).length;
  await eventually('two frames', () => count() >= 2, { withinMs: 60_000 });
  assert.ok(!said.includes('\u001b'));
  // How fast it fills is told once there are two looks.
  assert.match(said, /A minute: 0 delivered, 0 published/);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
});

test(
  'in a terminal it takes the whole screen, keys group it, and q gives back everything',
  withoutTerminal,
  async () => {
    const terminal = await start(['top']);
    await until('it is drawn', terminal, (frame) => frame.includes('by lanes'));
    const [frame] = frames(terminal);
    const lines = frame!.split('\n');
    assert.equal(lines.length, 40);
    assert.ok(lines.every((line) => [...line].length < 120));
    assert.match(lines.at(-1)!, /^q ends {3}by: l lane/);
    terminal.press('s');
    await until('by sources', terminal, (drawn) => drawn.includes('by sources'));
    terminal.press('k');
    await until('by kinds', terminal, (drawn) => drawn.includes('by kinds'));
    terminal.resize(20, 60);
    await until('it fits again', terminal, (drawn) => drawn.split('\n').length === 20);
    assert.ok(
      frames(terminal)
        .at(-1)!
        .split('\n')
        .every((line) => [...line].length < 60),
    );
    terminal.press('q');
    assert.deepEqual(await terminal.ended(), { code: 0, isAsBefore: true });
    assert.ok(terminal.written().includes(ENTER));
    assert.ok(terminal.written().trimEnd().endsWith(LEAVE));
  },
);

for (const [how, end] of [
  ['Ctrl-C', (terminal: InTerminal) => terminal.press('\u0003')],
  ['SIGTERM', (terminal: InTerminal) => terminal.signal('SIGTERM')],
  ['SIGHUP', (terminal: InTerminal) => terminal.signal('SIGHUP')],
] as const) {
  test(`the terminal is given back on ${how}`, withoutTerminal, async () => {
    const terminal = await start(['top']);
    await until('it is drawn', terminal, (frame) => frame.includes('by lanes'));
    end(terminal);
    assert.deepEqual(await terminal.ended(), { code: 0, isAsBefore: true });
    assert.ok(terminal.written().trimEnd().endsWith(LEAVE));
  });
}

test('the status has colours in a terminal, and none with NO_COLOR', withoutTerminal, async () => {
  const colours = await start(['status']);
  await colours.ended();
  assert.match(colours.written(), /\u001b\[1m.*nothing is wrong\./);
  const plain = await start(['status'], { NO_COLOR: '1' });
  await plain.ended();
  assert.match(plain.written(), /nothing is wrong\./);
  assert.ok(!plain.written().includes('\u001b['));
});

test(
  'when the database goes away what was seen last stays, with what is the matter and the next command',
  withoutTerminal,
  async () => {
    const terminal = await start(['top']);
    await until('it is drawn', terminal, (frame) => frame.includes('by lanes'));
    const [, connect = ''] = /'(.*)'/.exec(String(stack.first['connect'])) ?? [];
    const elsewhere = new pg.Client({ connectionString: connect.replace('/docket?', '/template1?') });
    await elsewhere.connect();
    try {
      await elsewhere.query('alter database docket allow_connections false');
      await elsewhere.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'docket-cli'`,
      );
      await until('it is told', terminal, (frame) => /\nDATABASE_\w+: .*\n→ docket doctor;/.test(frame));
      assert.ok(frames(terminal).at(-1)!.includes('standard'));
    } finally {
      await elsewhere.query('alter database docket allow_connections true');
      await elsewhere.end();
    }
    const told = frames(terminal).length;
    await until('it is seen again', terminal, () =>
      frames(terminal)
        .slice(told)
        .some((frame) => !frame.includes('DATABASE_')),
    );
    terminal.press('q');
    assert.deepEqual(await terminal.ended(), { code: 0, isAsBefore: true });
  },
);
