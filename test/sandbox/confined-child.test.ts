import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startConfinedChild } from '../../src/sandbox/confined-child.ts';
import type { ChildEnd, ConfinedChild } from '../../src/sandbox/confined-child.ts';
import { findConfinement } from '../../src/sandbox/confinement.ts';

const folder = await mkdtemp(join(tmpdir(), 'docket-sandbox-'));
after(() => rm(folder, { recursive: true, force: true }));

/** A child that runs this program, the first message it sent, and how it ended. */
async function run(
  program: string,
  memoryLimitMb = 512,
): Promise<{ child: ConfinedChild; answer: Promise<unknown>; ended: Promise<ChildEnd> }> {
  const main = join(folder, `${Math.random()}.mjs`);
  await writeFile(main, program);
  const confinement = findConfinement(memoryLimitMb);
  let onMessage: (message: unknown) => void = () => undefined;
  const answer = new Promise((resolve) => (onMessage = resolve));
  const child = startConfinedChild({ main, confinement, memoryLimitMb, onMessage });
  after(() => child.kill());
  return { child, answer, ended: child.ended };
}

const attempt = (what: string): string =>
  `import * as fs from 'node:fs'; import { spawnSync } from 'node:child_process';
   process.on('message', () => { try { ${what}; process.send('done'); } catch (error) { process.send(error.code); } });`;

test('a child can read, but neither write nor start anything', async () => {
  const outcomes: Record<string, unknown> = {};
  for (const [name, what] of Object.entries({
    read: `fs.readFileSync('${import.meta.filename}')`,
    write: `fs.writeFileSync('${join(folder, 'written')}', '')`,
    remove: `fs.rmSync('${import.meta.filename}')`,
    start: `spawnSync('/bin/true')`,
  })) {
    const { child, answer } = await run(attempt(what));
    child.send('go');
    outcomes[name] = await answer;
    child.kill();
  }
  assert.deepEqual(outcomes, {
    read: 'done',
    write: 'ERR_ACCESS_DENIED',
    remove: 'ERR_ACCESS_DENIED',
    start: 'ERR_ACCESS_DENIED',
  });
});

test('a child that is killed says so', async () => {
  const { child, ended } = await run('setInterval(() => undefined, 1000);');
  child.kill();
  const { exitCode, signal, isOutOfMemory } = await ended;
  assert.deepEqual([exitCode, signal, isOutOfMemory], [null, 'SIGKILL', false]);
});

test('a child that holds more memory than it may is ended, and that is why', async () => {
  const { child, ended } = await run(
    'const held = []; setInterval(() => held.push(Buffer.alloc(16 << 20, 1)), 10);',
    150,
  );
  const over: number[] = [];
  const stop = child.watchMemory((residentMb) => over.push(residentMb));
  const { signal, isOutOfMemory } = await ended;
  stop();
  assert.deepEqual([signal, isOutOfMemory], ['SIGKILL', true]);
  assert.ok(over.length > 0 && over.every((residentMb) => residentMb > 150), over.join(' '));
});

test('a child that ends by itself leaves its exit code and its last words', async () => {
  const { ended } = await run(
    "process.stdout.write('last words'); process.exitCode = 3; process.disconnect();",
  );
  const { exitCode, signal, output } = await ended;
  assert.deepEqual([exitCode, signal, output], [3, null, 'last words']);
});
