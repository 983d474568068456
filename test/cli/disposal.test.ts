import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { filesBelow, TraceSearch, tracesOf, tracesOfWords } from '../support/traces.ts';
import type { Delivered } from './disposal-run.ts';
import { DisposalRun, RUN_TIMEOUT_MS } from './disposal-run.ts';

let run: DisposalRun;
before(
  async () => {
    run = await DisposalRun.start();
  },
  { timeout: RUN_TIMEOUT_MS },
);
after(() => run.remove());

const pathOf = ({ object }: Delivered) =>
  join(run.home.folder, 'data/objects', object.locator.slice('file:'.length));
const objects = () =>
  Buffer.concat(filesBelow(join(run.home.folder, 'data/objects')).map((path) => readFileSync(path)));

/** What two persons say, by the command line. */
const act = (verb: string, job: string, login: string, code = 0) =>
  run.home.json<{ error?: { code: string } }>(
    ['quarantine', verb, job, '--reason', 'its time is over', '--as', login],
    code,
  );

test(
  'after a disposal nothing of the document can be got from a dump, the store and all keys, and every proof stands',
  {
    timeout: RUN_TIMEOUT_MS,
  },
  async () => {
    const kept = await run.publish('14-packing-list.tif', { name: 'Ferdinand Abendroth' });
    const baseline = (await run.dump()).toString();
    const doomed = await run.publish('12-weighbridge-ticket-phone.jpg', {
      name: 'Aurelia Quillfeather',
      certificate: 'serial 5f0d71a9c3',
    });

    // Everything by which the document could be known, all of it there before.
    const [salt] = await run.ask<{ salt: Buffer }>('select salt from docket.job_salts where job_id = $1', {
      values: [doomed.job],
    });
    const [guess] = await run.ask<{ hash: Buffer }>(
      `select sha256(convert_to(e'docket.packet.1\\n', 'UTF8') || docket.packet_bytes(e.sha256, e.size_bytes, e.stated_media_type, e.locator, e.version, e.source_id,
       e.document_kind, e.captured_at, e.received_at, e.document_date, e.signer, e.envelope, e.scan_number)) as hash
     from docket.evidence e where e.job_id = $1`,
      { values: [doomed.job] },
    );
    const objectKey = await run.objectKey(doomed);
    const words = (
      await run.ask<{ word: string }>(
        `select distinct word from docket.pages p
       cross join lateral regexp_split_to_table(p.text, '[^A-Za-z0-9]+') as word
       where p.job_id = $1 and length(word) >= 5`,
        { values: [doomed.job] },
      )
    )
      .map(({ word }) => word)
      .filter((word) => !baseline.toLowerCase().includes(word.toLowerCase()));
    assert.ok(words.length >= 5, words.join(', '));
    const inDatabase = new TraceSearch([
      ...tracesOfWords([...words, ...words.map((word) => word.toLowerCase())]),
      ...tracesOfWords(Object.values(doomed.signer)),
      ...tracesOf('the envelope', doomed.envelope),
      ...tracesOf('the salt', salt!.salt),
    ]);
    const anywhere = new TraceSearch([
      ...tracesOf('the scan', doomed.scan),
      ...tracesOf('the key of the object', objectKey),
      // From it a signer that is guessed would be known for the right one.
      ...tracesOf('the hash of what the sender stated', guess!.hash),
    ]);
    const copy = readFileSync(pathOf(doomed));
    const copyOfKept = readFileSync(pathOf(kept));
    const seen = inDatabase.in('the dump', await run.dump()).join('\n');
    for (const what of [words[0]!, 'Aurelia', 'the envelope', 'the salt'])
      assert.ok(seen.includes(what), what);
    assert.equal(await run.canOpen(copy, doomed), true);
    assert.equal(await run.canOpen(copyOfKept, kept), true);

    // One person cannot; two can.
    await run.requestDisposal(doomed.job, 'anna');
    const alone = await act('approve-disposal', doomed.job, 'anna', 6);
    assert.equal(alone.error?.code, 'ZD033');
    assert.equal(await run.canOpen(copy, doomed), true);
    await act('approve-disposal', doomed.job, 'ben');
    await eventually('the worker removed the object', () => !existsSync(pathOf(doomed)));
    await eventually('the log says so', async () => {
      const rows = await run.ask(
        `select from docket_audit.events where job_id = $1 and event = 'object_removed'`,
        {
          values: [doomed.job],
        },
      );
      return rows.length === 1;
    });

    const dump = await run.dump();
    const everything = Buffer.concat([dump, objects(), run.keys()]);
    assert.deepEqual(inDatabase.in('the dump', dump), []);
    assert.deepEqual(anywhere.in('dump, objects and keys', everything), []);
    assert.deepEqual(inDatabase.in('objects and keys', Buffer.concat([objects(), run.keys()])), []);
    assert.equal(await run.canOpen(copy, doomed), false, 'a copy of the sealed object that somebody kept');
    assert.equal(await run.canOpen(copyOfKept, kept), true, 'others are as they were');
    assert.ok(dump.toString().includes('Ferdinand Abendroth'));

    // What happened, by whom, and that it was this document, can still be proved.
    const doctor = await run.home.json<{ ok: boolean; verification: { checked: string; failed: number }[] }>([
      'doctor',
    ]);
    assert.equal(doctor.ok, true);
    assert.ok(doctor.verification.every((check) => check.failed === 0));
    const events = await run.ask<{ event: string; actor: string }>(
      'select event, actor from docket_audit.events where job_id = $1 order by seq',
      { values: [doomed.job] },
    );
    assert.deepEqual(
      events
        .filter(({ event }) => event.includes('dispos'))
        .map(({ event, actor }) => `${event} by ${actor}`)
        .slice(-2),
      ['disposal_requested by anna', 'disposed by ben'],
    );
    const census = await run.home.json<{ ok: boolean; counts: Record<string, number> }>(['census']);
    assert.equal(census.ok, true);
    assert.deepEqual(
      Object.values(census.counts),
      Object.values(census.counts).map(() => 0),
    );
  },
);
