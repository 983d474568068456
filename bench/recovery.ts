// What deaths cost: three worker processes take sealed documents to publication, some by real recognition, while workers are killed and
// stopped and Postgres is killed. The value is how long it takes until work of a killed worker is begun anew, at the 99th percentile.
import assert from 'node:assert/strict';
import { seeded } from '../test/support/seeded.ts';
import { recoveryStorm } from '../test/worker/recovery-storm.ts';

const isQuick = process.argv.includes('--quick');
const plan = isQuick
  ? { kills: 8, stops: 1, postgresKills: 1, pdfEvery: 40, betweenMs: 1_000 }
  : { kills: 200, stops: 10, postgresKills: 25, pdfEvery: 40, betweenMs: 1_000 };

const {
  restart_p99_ms: value,
  restarts: n,
  ...figures
} = await recoveryStorm({ ...plan, random: seeded(7) });
console.log(JSON.stringify({ bench: 'recovery', value, unit: 'ms', n, ...figures }));
assert.deepEqual([figures.lost, figures.doubled, figures.plaintext_left], [0, 0, 0]);
