import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, test } from 'node:test';
import {
  AGE_WINDOWS,
  QUARANTINE_WINDOWS,
  STANDING,
  STANDING_BY,
} from '../../src/server/metrics/metric-table.ts';
import { SCRAPER } from '../server/scrape.ts';
import { serve } from '../server/server-fixture.ts';
import { createTestDatabase } from '../support/database.ts';
import { ALERTS, DASHBOARD, tableOf } from './monitoring-files.ts';

const database = await createTestDatabase();
let exported = '';

before(async () => {
  exported = await (await (await serve(database)).get(SCRAPER, '/metrics')).text();
});

const EXPRESSIONS = [
  ...ALERTS.map(({ expr }) => expr),
  ...DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];
const METRIC = /\b(?:docket|process|nodejs)_\w+/g;

/** The names that /metrics says something of, whether or not there is a value now. */
const declared = () => new Set([...exported.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!));

test('every figure that an alert or the dashboard asks for is exported', () => {
  const names = new Set(EXPRESSIONS.flatMap((expr) => expr.match(METRIC) ?? []));
  assert.ok(names.size >= 12, [...names].join(' '));
  for (const name of names) assert.ok(declared().has(name), name);
});

test('every figure of Docket is asked for by an alert or the dashboard, and all of them stand in the manual', () => {
  const own = [...declared()].filter((name) => name.startsWith('docket_')).sort();
  assert.deepEqual(
    own,
    tableOf('metric')
      .map(([name]) => name!)
      .sort(),
  );
  for (const name of own)
    assert.ok(
      EXPRESSIONS.some((expr) => expr.includes(name)),
      name,
    );
});

test('what alerts and the dashboard select by is something that is told', () => {
  const known: Record<string, readonly string[]> = {
    measure: [...STANDING, 'admission', 'verification', 'recognition', 'publication', 'whole'],
    by: STANDING_BY,
    window: [...AGE_WINDOWS, ...QUARANTINE_WINDOWS].map(({ window }) => window),
    quantile: ['0.5', '0.95', '0.99'],
  };
  for (const expr of EXPRESSIONS) {
    for (const [, label = '', value = ''] of expr.matchAll(/(\w+)!?="([^"]*)"/g)) {
      assert.ok(known[label]?.includes(value), `${label}="${value}" in ${expr}`);
    }
  }
});

test(
  'a linter of metrics has nothing to say but that quantiles are told by gauges',
  { skip: spawnSync('promtool', ['--version']).error ? 'promtool is not installed' : false },
  () => {
    const { stdout, stderr, error } = spawnSync('promtool', ['check', 'metrics'], {
      input: exported,
      encoding: 'utf8',
    });
    assert.equal(error, undefined);
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('docket_'));
    assert.deepEqual(
      said.filter((line) => !(line.startsWith('docket_age_seconds ') && line.includes('quantile'))),
      [],
    );
    assert.doesNotMatch(stderr, /error while linting|parse/i);
  },
);
