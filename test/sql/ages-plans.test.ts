import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type pg from 'pg';
import { createTestDatabase } from '../support/database.ts';
import { AdmissionStage } from './admission-stage.ts';
import { sealAll } from './log-stage.ts';

const database = await createTestDatabase();
const admission = await AdmissionStage.open(database);
const { db, worker } = admission.stage;

/** Tables that have a row for each document or delivery, or more. */
const LARGE = [
  'jobs',
  'deliveries',
  'attempts',
  'receipt_orders',
  'events',
  'age_minutes',
  'age_hours',
  'evidence',
];

before(async () => {
  await admission.deliver('storm', 20_000);
  await admission.deliver('quiet', 100, { kind: 'delivery_receipt' });
  await admission.admit(50);
  await sealAll(worker);
  await db.query(
    `insert into docket.age_minutes
     select date_bin('1 minute', clock_timestamp() - n * interval '1 minute', '2000-01-01'), m, 'standard', 's' || s, 'unknown', n % 100, 1
     from generate_series(1, 150) n, unnest(array['whole', 'admission']) m, generate_series(1, 20) s;
     insert into docket.age_hours
     select date_bin('1 hour', clock_timestamp() - n * interval '1 hour', '2000-01-01'), m, 'standard', 's' || s, 'unknown', n % 100, 1
     from generate_series(1, 1000) n, unnest(array['whole', 'admission']) m, generate_series(1, 20) s`,
  );
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
}

/** The plans of all statements that a call runs inside, as the server itself made them. */
async function plansOf(client: pg.PoolClient, call: string): Promise<Node[]> {
  const plans: Node[] = [];
  const note = ({ message }: { message?: string | undefined }) => {
    const json = message?.match(/plan:\s*(\{[^]*\})/)?.[1];
    if (json !== undefined) plans.push((JSON.parse(json) as { Plan: Node }).Plan);
  };
  client.on('notice', note);
  await client.query(call);
  client.off('notice', note);
  return plans;
}

const nodesOf = (plan: Node): Node[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

for (const state of ['nothing', 'all that analyze finds']) {
  test(`every statement inside reads large tables by an index, where the planner knows ${state}`, async () => {
    const client = await db.connect();
    try {
      if (state !== 'nothing') await client.query('analyze');
      await client.query(
        `load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
         set auto_explain.log_level = notice; set auto_explain.log_format = json`,
      );
      const used = new Set<string>();
      for (const call of [
        ...['all', 'lane', 'source', 'kind', 'pool'].map(
          (by) => `select * from docket.queue_health('${by}')`,
        ),
        `select * from docket.age_percentiles('5 minutes', 'source')`,
        `select * from docket.age_percentiles('3 hours', 'source')`,
        `select * from docket.quarantine_growth('1 hour')`,
        'select * from docket.document_counts()',
        'select * from docket.delivery_count()',
        'select * from docket.measure_ages(100)',
      ]) {
        const nodes = (await plansOf(client, call)).flatMap(nodesOf);
        assert.ok(nodes.length > 1, call);
        for (const node of nodes.filter((one) => LARGE.includes(one['Relation Name'] ?? ''))) {
          if (node['Node Type'] === 'ModifyTable') continue;
          assert.match(node['Node Type'], /^Index (Only )?Scan$/, `${call}: ${JSON.stringify(node)}`);
          used.add(node['Index Name']!);
          if (node['Node Type'] === 'Index Only Scan') used.add(`only ${node['Index Name']!}`);
        }
      }
      for (const index of [
        // what waits is counted without a look at it
        ...[
          'jobs__waiting_groups_idx',
          'only jobs__waiting_groups_idx',
          'jobs__in_flight_idx',
          'receipt_orders__due_idx',
          'events__sealing_idx',
        ],
        ...['age_minutes_pk', 'age_hours_pk', 'attempts_pk'],
      ])
        assert.ok(used.has(index), `${index} of ${[...used].join(', ')}`);
    } finally {
      client.release(true);
    }
  });
}
