import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { BrowserPage, CHROMIUM } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { pdfText } from '../support/pdf-text.ts';
import { CliHome } from './run-docket.ts';

// Certificates, and bundles in the offline page, of a real document in an embedded database.

const SCAN = CliHome.corpus('12-weighbridge-ticket-phone.jpg');
const PAGE = resolve(import.meta.dirname, '../../docs/verify.html');

interface Certified {
  events: number;
  sealed_events: number;
  checkpoint_size: number | null;
  statement: string;
}
interface Failure {
  error: { code: string; message: string };
}

let home: CliHome;
let superuser: pg.Client;
let job = '';
let made = 0;

before(async () => {
  home = await CliHome.make();
  const stack = await home.start(['up']);
  superuser = new pg.Client({ connectionString: /'(.*)'/.exec(String(stack.first['connect']))![1]! });
  await superuser.connect();
  const { documents } = await home.json<{ documents: { job_id: string }[] }>(['submit', SCAN, '--wait']);
  job = documents[0]!.job_id;
});
after(async () => {
  await superuser.end();
  await home.remove();
});

/** Writes a certificate to a new file. */
async function certify(): Promise<Certified & { pdf: Buffer }> {
  const out = join(home.folder, `certificate-${(made += 1)}.pdf`);
  const answer = await home.json<Certified>(['certificate', job, '--out', out]);
  return { ...answer, pdf: await readFile(out) };
}

async function refused(exitCode: number): Promise<Failure['error']> {
  const out = join(home.folder, 'refused.pdf');
  const { error } = await home.json<Failure>(['certificate', job, '--out', out], exitCode);
  await assert.rejects(stat(out), { code: 'ENOENT' });
  return error;
}

test('a certificate names the hash of the scan, every event as the database has it, and the checkpoint over them', async () => {
  await eventually(
    'a checkpoint covers every event',
    async () => {
      const { rows } = await superuser.query<{ covered: boolean }>(
        `select max(c.size) > (select max(docket.leaf_index(job_id, seq)) from docket_audit.events where job_id = $1) as covered
        from docket_audit.checkpoints c
        where not exists (select from docket_audit.events where job_id = $1 and docket.leaf_index(job_id, seq) is null)`,
        [job],
      );
      return rows[0]?.covered;
    },
    { withinMs: 60_000, everyMs: 200 },
  );
  const sealed = await certify();
  assert.equal(sealed.sealed_events, sealed.events);
  const text = await pdfText(sealed.pdf);
  assert.ok(
    text.includes(
      createHash('sha256')
        .update(await readFile(SCAN))
        .digest('hex'),
    ),
  );
  const { rows } = await superuser.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from docket_audit.events where job_id = $1 order by seq`,
    [job],
  );
  assert.equal(rows.length, sealed.events);
  for (const { hash } of rows) assert.ok(text.includes(hash));
  const { rows: notes } = await superuser.query<{ note: string }>(
    'select note from docket_audit.checkpoints where size = $1',
    [sealed.checkpoint_size],
  );
  for (const line of notes[0]!.note.split('\n')) assert.ok(text.includes(line), line);
  assert.ok(text.includes(sealed.statement));
});

test('it is readable by its owner alone, written over nothing, and the page goes with it', async () => {
  const [out, page] = [join(home.folder, 'one.pdf'), join(home.folder, 'verify.html')];
  await home.json(['certificate', job, '--out', out, '--page', page]);
  assert.equal((await stat(out)).mode & 0o777, 0o600);
  assert.deepEqual(await readFile(page), await readFile(PAGE));
  const again = await home.json<Failure>(['certificate', job, '--out', out], 6);
  assert.equal(again.error.code, 'FILE_EXISTS');
  const unknown = ['certificate', 'ab'.repeat(32), '--out', join(home.folder, 'none.pdf')];
  assert.equal((await home.json<Failure>(unknown, 5)).error.code, 'ZD020');
});

test(
  'the bundle of the document is good in the page with the key of the log, and red once altered',
  { skip: CHROMIUM === undefined ? 'there is no Chromium on this machine' : false },
  async () => {
    const file = (name: string) => join(home.folder, name);
    await home.json(['bundle', job, '--original', '--out', file('one.tar'), '--reason', 'to show it']);
    const { keys } = await home.json<{ keys: { key: string }[] }>(['checkpoint', 'keys']);
    await writeFile(file('log.key'), `${keys.map(({ key }) => key).join('\n')}\n`);
    const receipts = await home.docket(['receipt', 'keys']);
    await writeFile(file('receipts.json'), receipts.stdout);
    const bytes = await readFile(file('one.tar'));
    const words = bytes.indexOf('text/page-1.txt') + 512 + 8;
    bytes.writeUInt8(bytes.readUInt8(words) ^ 1, words);
    await writeFile(file('altered.tar'), bytes);
    const page = await BrowserPage.open(pathToFileURL(PAGE).href);
    const verdict = `document.querySelector('#verdict')`;
    try {
      await page.choose('#files', [file('one.tar'), file('log.key'), file('receipts.json'), SCAN]);
      await page.until(`${verdict}.textContent.includes('Everything fits')`);
      assert.equal(await page.evaluate(`${verdict}.className`), 'good');
      assert.equal(await page.evaluate(`document.querySelectorAll('.steps li.bad').length`), 0);
      const good = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.steps details.good summary b')].map((one) => one.textContent)`,
      );
      const wanted = [
        'scan',
        'checkpoint signature',
        'chain',
        'inclusion',
        'packet',
        'result',
        'text',
        'original',
      ];
      for (const name of [...wanted, 'receipt signature']) assert.ok(good.includes(name), name);
      await page.choose('#files', [file('altered.tar')]);
      await page.until(`${verdict}.className === 'bad'`);
      assert.match(await page.evaluate(`${verdict}.textContent`), /text, page 1/);
      assert.deepEqual(page.requested, [pathToFileURL(PAGE).href]);
    } finally {
      await page.close();
    }
  },
);

test('nothing is certified of a disputed document', async () => {
  await superuser.query('insert into docket.disputed_documents values ($1, 1, 1, now())', [job]);
  assert.equal((await refused(6)).code, 'ZD058');
  await superuser.query('delete from docket.disputed_documents where job_id = $1', [job]);
});

test('nothing is certified once somebody changed the log, and what was changed is named', async () => {
  // as only a superuser can, past every guard
  await superuser.query('alter table docket_audit.events disable trigger all');
  await superuser.query(`update docket_audit.events set reason = 'another' where job_id = $1 and seq = 2`, [
    job,
  ]);
  const { code, message } = await refused(8);
  assert.equal(code, 'RECORD_BROKEN');
  assert.match(message, new RegExp(`${job} event 2`));
});
