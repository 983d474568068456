import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { CliHome } from './run-docket.ts';

let home: CliHome;
before(async () => {
  home = await CliHome.make();
});
after(() => home.remove());

test('the demo takes own files to their end, reports on them and stops its server', async () => {
  const own = join(home.folder, 'own scans');
  await mkdir(own);
  await copyFile(CliHome.corpus('12-weighbridge-ticket-phone.jpg'), join(own, 'ticket <b>.jpg'));
  await copyFile(CliHome.corpus('16-locked.pdf'), join(own, 'locked.pdf'));

  const ended = await home.docket(['demo', own, '--json']);
  assert.equal(ended.code, 0, ended.stderr);
  const totals = JSON.parse(ended.stdout) as Record<string, unknown>;
  assert.ok(Number(totals['events']) >= 9);
  const { as_analyst: seen } = totals as { as_analyst: Record<string, unknown> };
  assert.match(String(seen['document_id']), /^[0-9a-f-]{36}$/);
  assert.match(
    ended.stderr,
    /ticket <b>\.jpg, as GraphQL shows it to an analyst of local:\n\n {2}Bytes received\. It has no signature\.\n\n {2}│ /,
  );
  assert.match(ended.stderr, /Masked by the rules "docket-1": /);
  const { tamper_found: tamper } = totals as { tamper_found: string };
  const job = '[0-9a-f-]{36}';
  assert.match(tamper, new RegExp(`^result hashes \\(${job}\\).*; event hashes \\(${job} event 2\\)`));
  assert.match(ended.stderr, /changed the text of page 1 of ticket <b>\.jpg: found by result hashes/);
  assert.match(ended.stderr, /extends every checkpoint outside, up to \d+ of its leaves\./);
  assert.deepEqual(
    { ...totals, events: 0, as_analyst: null, tamper_found: '' },
    {
      submitted: 2,
      jobs: 2,
      published: 1,
      quarantined: 1,
      duplicates: 0,
      signed: 0,
      receipts: { RECE: 2 },
      pages: 1,
      events: 0,
      sealed: 2,
      chains_ok: true,
      verified: true,
      replayed: 1,
      replay_failed: 0,
      tamper_found: '',
      as_analyst: null,
    },
  );

  const folder = join(home.folder, 'data/demo');
  const report = await readFile(join(folder, 'report.html'), 'utf8');
  assert.match(report, /WEIGHBRIDGE/);
  assert.match(report, /src="data:image\/jpeg;base64,/);
  assert.match(report, /ENCRYPTED/);
  assert.equal(report.match(/<bdi>Bytes received\. It has no signature\.<\/bdi>/g)?.length, 2);
  assert.doesNotMatch(report, /\bsigned\b/i);
  assert.doesNotMatch(report, /<b>\.jpg/);
  assert.match(ended.stderr, /locked\.pdf +quarantined: ENCRYPTED/);
  assert.match(
    report,
    /<h2 id="proof">Is the record what it was\?<\/h2>\n<span class="badge good">verified<\/span>/,
  );
  const checkpoints = (await readFile(join(folder, 'checkpoints.jsonl'), 'utf8')).trim().split('\n');
  const { note } = JSON.parse(checkpoints.at(-1) ?? '') as { note: string };
  assert.match(
    note,
    new RegExp(`^docket/${job}\n${String(totals['events'])}\n`),
    'all events are vouched for',
  );
  assert.match(ended.stderr, /clean up +rm -rf /);
  assert.equal(existsSync(join(folder, 'postgres/PG_VERSION')), true);
  assert.equal(readPostmasterFile(join(folder, 'postgres')), undefined, 'the server is stopped');
});
