import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { writeReport } from '../../src/report/report.ts';
import type { ReportPage } from '../../src/report/report.ts';
import { aDocument, aPage, aSignature, OPTIONS, written } from './sample-report.ts';

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docket-report-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('the report is for its user alone, whatever an earlier run left in its place', async () => {
  const file = join(folder, 'report.html');
  await writeFile(`${file}.partial`, 'cut short', { mode: 0o644 });
  await writeReport(file, [aDocument()], OPTIONS);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await rm(file);
});

test('a document is shown with its picture, words, text, hash, timeline and confidence', async () => {
  const page = await written([aDocument()]);
  assert.match(page, /src="data:image\/jpeg;base64,\/9j\/4AAQSkZJRg=="/);
  assert.match(
    page,
    /<rect class="a" x="10" y="20" width="100" height="30"[^>]*><title>SEAL \(96 %\)<\/title>/,
  );
  assert.match(page, /<pre[^>]*>SEAL 884120<\/pre>/);
  assert.ok(page.includes('ab'.repeat(32)));
  assert.match(page, /2026-09-29 08:00:00\.350<\/time>/);
  assert.ok(page.includes('+0.250 s'));
  assert.ok(page.includes('91.3 %') || page.includes('91.2 %'));
  assert.ok(page.includes('turned by 90° to be upright'));
  assert.ok(page.includes('straightened by -1.23°'));
});

test('hostile text in every field stays text', async () => {
  const evil = `</pre></title></script><script>alert(1)</script><img src=x onerror="alert(1)">"'&\u202Egpj.exe\0`;
  const page = await written([
    aDocument({
      file: evil,
      jobId: evil,
      kind: evil,
      source: evil,
      mediaType: evil,
      state: evil,
      duplicateOf: evil,
      sha256: evil,
      claimedSha256: evil,
      stated: { capturedAt: evil, signer: evil },
      statement: evil,
      signatures: [
        aSignature({
          place: evil,
          format: evil,
          status: evil,
          meaning: evil,
          coverage: evil,
          laterChanges: evil,
          signer: evil,
          anchor: evil,
          algorithm: evil,
          signedAt: evil,
          judgedAt: evil,
          findings: [evil],
        }),
      ],
      receipt: { outcome: evil, code: evil, issuedAt: evil },
      firstWords: evil,
      failure: { code: evil, meaning: evil, remedy: evil, message: evil },
      reading: { engine: evil, configSha256: evil, resultSha256: evil },
      timeline: [
        {
          at: evil,
          event: evil,
          state: evil,
          actor: evil,
          reason: evil,
          code: evil,
          hash: evil,
          chainOk: false,
        },
      ],
      pages: () => [
        aPage({ text: evil, words: [{ text: evil, confidence: NaN, x0: NaN, y0: 0, x1: 5, y1: 5 }] }),
      ],
    }),
  ]);
  assert.equal(page.match(/<script/g)?.length, 1, 'only the script of the report itself');
  assert.doesNotMatch(page, /<img(?!\s+loading="lazy")/);
  // Between < and > of a tag no raw onerror may stand: its quotes must have become entities.
  assert.doesNotMatch(page, /onerror="/);
  assert.ok(!page.includes('\u202E') && !page.includes('\0'), 'hidden characters are spelled out');
  assert.ok(page.includes('⟨U+202E⟩gpj.exe⟨U+0000⟩'));
});

test('the page forbids every request and names the digest of its only script', async () => {
  const page = await written([aDocument()]);
  const script = /<script>([^]*)<\/script>/.exec(page)?.[1] ?? '';
  const digest = createHash('sha256').update(script).digest('base64');
  assert.ok(script.length > 100);
  assert.ok(
    page.includes(
      `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${digest}'`,
    ),
  );
  assert.doesNotMatch(page, /(?:src|href)="(?!data:|#)/);
  assert.doesNotMatch(page, /@import|url\(/);
});

test('a quarantined document shows its code and what to do about it', async () => {
  const failure = {
    code: 'ENCRYPTED',
    meaning: 'The PDF asks for a password.',
    remedy: 'Deliver it unlocked.',
  };
  const page = await written([
    aDocument({ state: 'quarantined', failure, confidence: null, pageCount: 0, pages: () => [] }),
  ]);
  assert.match(page, /<code>ENCRYPTED<\/code> The PDF asks for a password\./);
  assert.ok(page.includes('Deliver it unlocked.'));
  assert.match(page, /<span class="badge bad">/);
});

test('a blank page is said to be blank, and a picture that is too large or no JPEG is left out', async () => {
  const pages = [
    aPage({ verdict: 'blank', words: [], text: '' }),
    aPage({ jpeg: Buffer.alloc(1024 * 1024, 0xff) }),
    aPage({ jpeg: Buffer.from('<svg onload=alert(1)>') }),
  ];
  const page = await written([aDocument({ pages: () => pages })]);
  assert.ok(page.includes('The page is blank.'));
  assert.equal(page.match(/No picture of this page\./g)?.length, 2);
});

test('two deliveries of one job count their pages and events once', async () => {
  const page = await written([
    aDocument(),
    aDocument({ state: 'duplicate', duplicateOf: 'sheet.jpg', pages: () => [] }),
  ]);
  const tile = (name: string): string | undefined =>
    new RegExp(`<dt>${name}</dt>\\s*<dd>([^<]*)</dd>`).exec(page)?.[1];
  assert.equal(tile('delivered'), '2');
  assert.equal(tile('duplicates'), '1');
  assert.equal(tile('pages read'), '1');
  assert.equal(tile('events'), '2');
  assert.equal(tile('chains intact'), '1/1');
});

test('a broken link is marked in the timeline and in the totals', async () => {
  const [first, second] = aDocument().timeline;
  const page = await written([aDocument({ timeline: [first!, { ...second!, chainOk: false }] })]);
  assert.equal(page.match(/link broken/g)?.length, 1);
  assert.match(page, /<dd>0\/1<\/dd>/);
});

test('pages are asked for one after the other, and a failure leaves no file behind', async () => {
  let open = 0;
  async function* pages(): AsyncGenerator<ReportPage> {
    for (let number = 1; number <= 3; number++) {
      assert.equal(open, 0, 'the page before has been written');
      open++;
      yield aPage({ number });
      open--;
    }
    throw new Error('the store went away');
  }
  const file = join(folder, 'never.html');
  await assert.rejects(writeReport(file, [aDocument({ pages })], OPTIONS), /the store went away/);
  assert.ok(!(await readdir(folder)).some((name) => name.startsWith('never')));
});
