// A worker in a process of its own, as `docket worker` runs it: configured by the environment, at work until its parent is gone.
import { once } from 'node:events';
import { withWorker } from '../../src/cli/worker-run.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';

await withWorker(
  loadConfig(),
  { log: createLog({ level: 'warn' }), interrupted: new AbortController().signal, tell: () => undefined },
  async () => {
    process.send!('at work');
    await once(process, 'disconnect');
  },
);
