import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CliHome } from './run-docket.ts';

const home = await CliHome.make();
after(() => home.remove());
await home.start(['up']);
const because = ['--reason', 'the books are done'];

test('the status names what somebody halted, the worst first, with who, since when and the next command', async () => {
  const { stdout: open } = await home.docket(['status']);
  assert.doesNotMatch(open, /ALERT/);
  await home.json(['admission', 'close', 'kind:unknown', ...because]);
  await home.json(['pool', 'set', 'ocr', '--fleet', '0', ...because]);
  await home.json(['pool', 'set', 'io', '--fleet', '5', ...because]);
  await home.json(['admission', 'close', '--for', '2 hours', ...because]);
  const { stdout } = await home.docket(['status']);
  const by = 'since \\d{4}-\\S+Z, set by postgres: the books are done\\. ';
  const alerts = stdout.split('\n').filter((line) => line.startsWith('ALERT'));
  const expected = [
    `ALERT: admission is closed to all ${by}It ends by itself at \\d{4}-\\S+Z\\. Next: docket admission open all --reason '...'`,
    `ALERT: the pool ocr has no slots ${by}Next: docket undo 2 --reason '...'`,
    `ALERT: admission is closed to kind:unknown ${by}Next: docket admission open kind:unknown --reason '...'`,
  ];
  assert.equal(alerts.length, expected.length);
  for (const [at, line] of alerts.entries()) assert.match(line, new RegExp(`^${expected[at]!}$`));
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
