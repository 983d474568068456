import { after, before, test } from 'node:test';
import { assertNoPlaintext, PlaintextRun } from './plaintext-run.ts';

let run: PlaintextRun;
before(async () => {
  run = await PlaintextRun.make();
});
after(() => run.remove());

test('after workers were killed and others went on, no scan lies anywhere in the clear, and logs and queue tell nothing', async () => {
  await run.live();
  assertNoPlaintext(run);
});
