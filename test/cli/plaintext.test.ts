import { after, before, test } from 'node:test';
import { assertNoPlaintext, PlaintextRun, RUN_TIMEOUT_MS } from './plaintext-run.ts';

let run: PlaintextRun;
before(async () => {
  run = await PlaintextRun.make();
});
after(() => run.remove());

test(
  'after workers were killed and others went on, no scan lies anywhere in the clear, and logs and queue tell nothing',
  { timeout: RUN_TIMEOUT_MS },
  async () => {
    await run.live();
    assertNoPlaintext(run);
  },
);
