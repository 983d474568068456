import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { METRICS } from '../../src/server/metrics/metric-table.ts';
import { ALERTS, DASHBOARD, METRICS_PAGE, RULES_TEST, tableOf } from './monitoring-files.ts';

const FOLDER = join(import.meta.dirname, '../../ops/prometheus');
const VERBS = readdirSync(join(import.meta.dirname, '../../src/cli/verbs')).map((file) =>
  file.replace('.ts', ''),
);

const temp = mkdtempSync(join(tmpdir(), 'docket-alerts-'));
after(() => rmSync(temp, { recursive: true }));

const isThere = spawnSync('promtool', ['--version']).error === undefined;
const skip = isThere ? false : 'promtool is not installed; it is part of the package prometheus';

function promtool(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
  assert.equal(status, 0, `promtool ${args.join(' ')}\n${stdout}${stderr}`);
}

test('every alert fires in its test, and none does while all is well', { skip }, () => {
  promtool('check', 'rules', 'docket.rules.yml');
  promtool('test', 'rules', 'docket.rules.test.yml');
});

test('each alert is tested to fire, to wait until it has lasted, and to be silent while all is well', () => {
  const [, healthy = '', ...firing] = RULES_TEST.split(/^ {2}- name: /m);
  assert.match(healthy, /^nothing fires while all is well/);
  const asked = (text: string) =>
    [...text.matchAll(/alertname: (\w+)\n +exp_alerts:( \[\])?/g)].map(([, name, none]) => ({
      name,
      fires: none === undefined,
    }));
  assert.ok(ALERTS.length >= 10);
  for (const { name } of ALERTS) {
    assert.deepEqual(
      asked(healthy).filter((one) => one.name === name),
      [{ name, fires: false }],
    );
    const own = firing.find((text) => text.startsWith(`${name} fires\n`)) ?? '';
    assert.deepEqual(
      asked(own),
      [
        { name, fires: false },
        { name, fires: true },
      ],
      name,
    );
  }
});

test('each alert says in short and at length what is wrong, how bad it is, and a command that there is', () => {
  for (const { name, text } of ALERTS) {
    for (const field of ['severity', 'summary', 'description', 'next_command']) {
      assert.match(text, new RegExp(`^ +${field}: \\S`, 'm'), `${field} of ${name}`);
    }
    const [, words = ''] = /next_command: docket ([a-z ]+)$/m.exec(text) ?? [];
    if (words === '') assert.match(text, /next_command: (curl|psql) /, name);
    else assert.ok(VERBS.includes(words.trim().replaceAll(' ', '-')), `docket ${words}`);
  }
});

test('the page about metrics has the very figures, labels and alerts that there are', () => {
  assert.deepEqual(
    tableOf('metric').map(([name, labels, meaning]) => [name, labels, meaning]),
    Object.values(METRICS).map(({ name, labels, help }) => [name, labels.join(', ') || '–', help]),
  );
  assert.deepEqual(
    tableOf('alert').map(([name]) => name),
    ALERTS.map(({ name }) => name),
  );
});

test('the configuration of the page is one that Prometheus takes', { skip }, () => {
  const [, yaml = ''] = /^```yaml\n(.*?)^```/ms.exec(METRICS_PAGE) ?? [];
  assert.match(yaml, /job_name: docket/);
  const file = join(temp, 'prometheus.yml');
  writeFileSync(file, yaml);
  promtool('check', 'config', '--syntax-only', file);
});

test('Prometheus can read what the dashboard asks', { skip }, () => {
  const asked = DASHBOARD.panels.flatMap(({ id, targets = [] }) =>
    targets.map(({ expr }, at) => ({
      record: `asked:${id}:${at}`,
      expr: expr.replaceAll('$job', 'docket'),
    })),
  );
  assert.ok(asked.length > 20);
  const file = join(temp, 'dashboard.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asked }] }));
  promtool('check', 'rules', file);
});

test('the dashboard begins with ages, and its panels do not lie on each other', () => {
  const { panels } = DASHBOARD;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const [first, ...others] = panels.filter(({ type }) => type !== 'row');
  assert.match(first!.targets![0]!.expr, /docket_oldest_seconds/);
  const ages = others.findIndex(({ targets = [] }) =>
    targets.some(({ expr }) => !expr.includes('_seconds{')),
  );
  assert.ok(ages >= 10, 'what is no age comes later');
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
});
