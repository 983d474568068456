import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { measureWords } from '../../src/cli/alerts/threshold-words.ts';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { WatchStage } from '../sql/watch-stage.ts';

const database = await createTestDatabase();
const watch = await WatchStage.open(database);
const page = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8');

/** The rows of the table that begins with this heading, without marks of code. */
function tableOf(heading: string): string[][] {
  const lines = page.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const end = lines.findIndex((line, at) => at > begin && !line.startsWith('|'));
  return lines.slice(begin + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('the page lists the very objectives there are from the start, with their thresholds', async () => {
  const { rows } = await watch.stage.db.query<{
    slo: string;
    measure: string;
    thresholds: (number | null)[];
  }>('select slo, measure, array[warning, breach, rollback] as thresholds from docket.slos');
  const listed = tableOf('subject').filter(([subject]) => subject!.startsWith('slo:'));
  assert.deepEqual(
    listed.map(([subject, , thresholds]) => `${subject}: ${thresholds}`).sort(),
    rows
      .map(({ slo, measure, thresholds }) => {
        const words = thresholds.flatMap((value) => (value === null ? [] : [measureWords(measure, value)]));
        return `slo:${slo}: ${words.join(', ')}`;
      })
      .sort(),
  );
});

test('the page lists the very members of what is posted', async () => {
  await watch.stage.db.query(`select docket.add_alert_webhook('https://pager.example/')`);
  await watch.stage.deliver();
  await watch.older(310);
  await watch.round();
  const [message] = await commands.claimWebhookMessages(watch.stage.worker, { limit: 1 });
  assert.deepEqual(
    tableOf('member').map(([name]) => name),
    ['type', 'timestamp', ...Object.keys(message!.alert as object)],
  );
});
