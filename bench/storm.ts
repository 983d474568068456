// A scan storm: one source delivers ten times what the slots can recognise, a quiet source and a trickle of papers that somebody
// signed go on as ever. How long signed papers wait until they are begun, in pages, and how old the documents of the quiet source
// get; beside it the same storm with as many slots, but no lanes and everything admitted at once. Pages take 0.2 to 0.8 s.
import assert from 'node:assert/strict';
import { addSource } from '../src/db/commands.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { createPacedEngine } from './support/paced-engine.ts';
import { type Outcome, runTraffic, type Traffic } from './support/storm-traffic.ts';
import { median, percentile, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 1 : 3;
const SECONDS = isQuick ? 8 : 60;
const PAGE_MS = { shortest: 200, longest: 800 };
const SLOTS = 2;
/** Documents that the source of the storm delivers a second: a quarter of what two slots do, and ten times what they do. */
const CALM = 1;
const STORM = 40;

const CONTROLLED = { ocrSlots: SLOTS, ocrReservedSlots: 1 };
const UNCONTROLLED = { ocrSlots: SLOTS + 1, ocrReservedSlots: 0 };

const database = await openBenchDatabase();
const engine = createPacedEngine(PAGE_MS.shortest, PAGE_MS.longest);

try {
  const owner = await database.connect('postgres');
  await owner.query('create role bench_sender login in role docket_app');
  for (const sourceId of ['storm', 'quiet', 'signed'])
    await addSource(owner, { sourceId, login: 'bench_sender' });
  const sender = await database.connect('bench_sender');
  const run = (slots: Traffic['slots'], perSecond: number) =>
    runTraffic({ database, owner, sender, engine }, { seconds: SECONDS, perSecond, slots });
  const phases: Record<'calm' | 'controlled' | 'uncontrolled', Outcome[]> = {
    calm: [],
    controlled: [],
    uncontrolled: [],
  };
  const cpu = await database.cpuSeconds();
  for (let round = 0; round < ROUNDS; round += 1) {
    phases.calm.push(await run(CONTROLLED, CALM));
    phases.controlled.push(await run(CONTROLLED, STORM));
    await owner.query(`insert into docket.lane_rules (source_id, lane) values ('signed', 'standard')`);
    await owner.query('update docket.lanes set window_size = 1000000');
    phases.uncontrolled.push(await run(UNCONTROLLED, STORM));
    await owner.query('update docket.lanes set window_size = null');
    await owner.query('delete from docket.lane_rules');
  }
  const over = (of: Outcome[], read: (phase: Outcome) => number) => rounded(median(of.map(read)), 2);
  const wait = (of: Outcome[]) => over(of, (phase) => percentile(phase.signedWaits, 99) / 1_000);
  const age = (of: Outcome[]) => over(of, (phase) => percentile(phase.quietAges, 99) / 1_000);
  const lost = Object.values(phases)
    .flat()
    .reduce((sum, phase) => sum + phase.delivered - phase.published, 0);
  assert.equal(lost, 0, 'everything that was delivered is published');
  const { calm, controlled, uncontrolled } = phases;
  console.log(
    JSON.stringify({
      bench: 'storm',
      value: wait(controlled),
      unit: 's that a signed paper waits, p99',
      ratio: rounded((wait(controlled) * 1_000) / PAGE_MS.longest, 2),
      quiet_ratio: rounded(age(controlled) / age(calm), 2),
      lost,
      quiet_age_s: { calm: age(calm), storm: age(controlled) },
      pages_per_s: over(controlled, (phase) => phase.pagesASecond),
      peer: {
        wait_s: wait(uncontrolled),
        ratio: rounded((wait(uncontrolled) * 1_000) / PAGE_MS.longest, 2),
        quiet_age_s: age(uncontrolled),
        quiet_ratio: rounded(age(uncontrolled) / age(calm), 2),
        pages_per_s: over(uncontrolled, (phase) => phase.pagesASecond),
      },
      cpu_s: rounded((await database.cpuSeconds()) - cpu, 2),
      n: Object.values(phases)
        .flat()
        .reduce((sum, phase) => sum + phase.signedWaits.length + phase.quietAges.length, 0),
    }),
  );
} finally {
  await engine.close();
  await database.close();
}
