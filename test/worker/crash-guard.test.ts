import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const program = (fault: string) => `
  const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/log.ts'))});
  const { exitOnUncaught } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/worker/crash-guard.ts'))});
  exitOnUncaught(createLog({ level: 'info' }));
  setInterval(() => undefined, 1000);
  ${fault}`;

for (const [name, fault] of [
  ['an exception nobody caught', `setTimeout(() => { throw new Error('the fault'); }, 1);`],
  ['a rejection nobody handled', `void Promise.reject(new Error('the fault'));`],
] as const) {
  test(`${name} is logged and ends the process with status 70`, () => {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program(fault)], {
      encoding: 'utf8',
    });
    assert.equal(status, 70);
    assert.match(stderr, /"level":"fatal".*the fault/);
  });
}
