import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { usageOf, watchUsage } from '../../../src/cli/loadtest/process-usage.ts';

const skip = existsSync('/proc/self/stat') ? false : 'this system has no /proc';

/** Fills memory and says so; burns CPU until it has used half a second whenever it is told to, and says how much that was. */
const CHILD = `
  globalThis.kept = Buffer.alloc(200e6, 1);
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
  process.on('message', (what) => {
    if (what === 'end') process.exit();
    const before = used();
    while (used() < before + 0.5);
    process.send(used() - before);
  });
  process.send(0);`;
/** The system counts in hundredths, of user and system each. */
const DOUBT = 0.05;

async function startChild() {
  const child = spawn(process.execPath, ['-e', CHILD], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  return child;
}

async function burn(child: ChildProcess): Promise<number> {
  child.send('burn');
  const [seconds] = (await once(child, 'message')) as [number];
  return seconds;
}

test(
  'what a child used is counted, with its memory, and is still counted when it has ended',
  { skip },
  async () => {
    const watch = watchUsage();
    await watch.restart();
    const child = await startChild();
    const before = (await usageOf(process.pid))!;
    const burned = await burn(child);
    const after = (await usageOf(process.pid))!;
    assert.ok(after.cpuSeconds - before.cpuSeconds > burned - DOUBT, `${burned} s`);
    assert.ok(after.largestChildMb > 200, `${after.largestChildMb} MB`);
    assert.ok(after.residentMb > after.largestChildMb + 20);
    const without = (await usageOf(process.pid, child.pid))!;
    assert.ok(after.cpuSeconds - without.cpuSeconds > burned - DOUBT, 'without the child');
    assert.equal(without.largestChildMb, 0);

    child.send('end');
    await once(child, 'exit');
    assert.equal(await usageOf(child.pid!), undefined);
    const used = await watch.used();
    watch.stop();
    assert.ok(used.cpuSeconds! > burned - DOUBT);
    assert.ok(used.largestChildMb! > 200, 'as it was seen before');
    assert.ok(used.hostBusy > 0 && used.hostBusy <= 1);
    assert.equal(used.apartCpuSeconds, undefined);
  },
);

test('of a process that is left out, what it used is told apart', { skip }, async () => {
  const child = await startChild();
  const watch = watchUsage(child.pid);
  await watch.restart();
  const burned = await burn(child);
  const used = await watch.used();
  watch.stop();
  child.send('end');
  await once(child, 'exit');
  assert.ok(used.apartCpuSeconds! > burned - DOUBT, `${used.apartCpuSeconds} of ${burned} s`);
  assert.ok(used.residentMb! > 20);
  assert.equal(used.largestChildMb, 0);
});

test('of a process that is not there nothing is told', async () => {
  assert.equal(await usageOf(2 ** 30), undefined);
});
