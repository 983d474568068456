import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CertificateFacts } from '../../../src/report/certificate/facts.ts';
import { writeCertificate } from '../../../src/report/certificate/write-certificate.ts';
import { pdfText } from '../../support/pdf-text.ts';
import { someFacts } from './sample-facts.ts';

// The certificate is read as a person's viewer reads it: by pdfium.

const certificate = async (change: Partial<CertificateFacts> = {}) =>
  pdfText(await writeCertificate(someFacts(change)));

/** From one heading to the next. */
const part = (text: string, from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));

test('it names every hash, every event, the checkpoint to the letter, and each place that took one', async () => {
  const facts = someFacts();
  const text = await certificate();
  const { sha256, reading, timeline, checkpoint } = facts;
  for (const hash of [
    sha256,
    reading!.resultSha256,
    reading!.configSha256,
    ...timeline.map((one) => one.hash),
  ]) {
    assert.ok(text.includes(hash), hash);
  }
  for (const line of checkpoint!.note.split('\n')) assert.ok(text.includes(line), line);
  assert.match(text, /2026-09-29 08:00:00\.123 verified verified docket_worker/);
  assert.match(text, /s3:\/\/evidence-checkpoints Took checkpoint 1284 on 2026-09-30 11:59:57 UTC\./);
  assert.match(text, /witness\.example\/w1 .*1200 .* Failed since: it answered 503\./);
});

test('what was checked, what the sender stated and what nobody checked are kept apart', async () => {
  const text = await certificate();
  const checked = part(text, 'Checked by Docket', 'Stated by the sender');
  const stated = part(text, 'Stated by the sender', 'Not checked');
  assert.match(checked, /1\.2 MiB, image\/jpeg/);
  assert.match(checked, /6 of 6 events under checkpoint 1284/);
  assert.match(checked, /passed on 2026-09-30 02:00:04 UTC/);
  assert.match(stated, /Captured 2026-09-28 16:45:00 UTC/);
  assert.match(stated, /Zoë Łukasz Ωμέγα/);
  assert.ok(!checked.includes('4711') && stated.includes('4711'));
});

test('of a document that was read again it says since when, and lists what was superseded by its hash', async () => {
  const { reading } = someFacts();
  assert.doesNotMatch(await certificate(), /read again/);
  const superseded = [
    {
      resultSha256: '1a'.repeat(32),
      publishedAt: '2026-09-29 08:00:01Z',
      supersededAt: '2026-10-02 09:30:00Z',
    },
    {
      resultSha256: '2b'.repeat(32),
      publishedAt: '2026-10-02 09:30:00Z',
      supersededAt: '2026-11-03 10:00:00Z',
    },
  ];
  const text = await certificate({ reading: { ...reading!, superseded } });
  assert.match(
    part(text, 'Checked by Docket', 'Stated by the sender'),
    /It was read again, and supersedes since 2026-11-03 10:00:00 UTC what was published on 2026-10-02 09:30:00 UTC, and 1 before that; the hashes are listed below\./,
  );
  const hashes = text.slice(text.indexOf('How each is made'));
  assert.match(hashes, /Text until 2026-10-02 (1a){32}/);
  assert.match(hashes, /Text until 2026-11-03 (2b){32}/);
});

test('without a signature, an outside copy or a replay it says that much less', async () => {
  const statement = 'Bytes received. It has no signature.';
  const bare = { statement, isSigned: false, signatures: [], places: [], replay: undefined };
  const text = await certificate(bare);
  const unchecked = part(text, 'Not checked', 'Timeline');
  assert.match(unchecked, /no valid signature covers the whole document/);
  assert.match(unchecked, /rewritten by somebody who rules the database/);
  assert.match(text, /Replay none yet Since it was verified, the stored scan was not fetched again/);
  assert.match(text, /agrees with itself, and nothing more is claimed/);
  assert.doesNotMatch(
    await certificate(),
    /nothing more is claimed|rules the database|no valid signature covers/,
  );
  const file = {
    place: 'host:/checkpoints',
    kind: 'file',
    size: '1284',
    copiedAt: '2026-09-30',
    failure: null,
  };
  assert.match(
    await certificate({ places: [file] }),
    /rules the database and the file that keeps its checkpoints/,
  );
  assert.match(await certificate({ ...bare, checkpoint: undefined }), /No checkpoint was signed yet/);
});

test('events that no checkpoint covers yet are named', async () => {
  const checkpoint = { ...someFacts().checkpoint!, includedEvents: 5 };
  assert.match(await certificate({ checkpoint }), /5 of 6 events .* after number 5 are younger than it/);
});

test('characters that could deceive, or that the typeface lacks, are spelled out', async () => {
  const [delivery] = someFacts().deliveries;
  const text = await certificate({ deliveries: [{ ...delivery!, signer: '{"name": "A\u202eB\u4e2d"}' }] });
  assert.match(text, /"A⟨U\+202E⟩B⟨U\+4E2D⟩"/);
});

test('the same facts give the same bytes, in a tagged PDF for archives', async () => {
  const [one, other] = [await writeCertificate(someFacts()), await writeCertificate(someFacts())];
  assert.ok(one.equals(other));
  assert.ok(!one.equals(await writeCertificate(someFacts({ madeAt: '2026-09-30T12:00:01.000Z' }))));
  const raw = one.toString('latin1');
  for (const mark of [
    '/StructTreeRoot',
    '/Marked true',
    '/Lang (en-GB)',
    'pdfaid:part>2<',
    'pdfaid:conformance>A<',
  ]) {
    assert.ok(raw.includes(mark), mark);
  }
  assert.doesNotMatch(raw, /\/(URI|JavaScript|EmbeddedFile)\b/);
});

test('a long history goes over as many pages as it needs, each with its number', async () => {
  const [event] = someFacts().timeline;
  const timeline = Array.from({ length: 150 }, (_, at) => ({ ...event!, reason: `reason ${at + 1}` }));
  const text = await certificate({ timeline });
  assert.match(text, /reason 150\b/);
  const pages = [...text.matchAll(/page (\d+) of (\d+)/g)].map(([, page, of]) => [Number(page), Number(of)]);
  assert.ok(pages.length > 6);
  assert.deepEqual(
    pages,
    pages.map((_, at) => [at + 1, pages.length]),
  );
});
