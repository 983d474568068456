import { inWords } from '../in-words.ts';
import { formatTime } from '../measures.ts';
import type { CertificateFacts } from './facts.ts';
import { outsideCopies } from './outside-copies.ts';
import type { NamedFact } from './provenance.ts';
import { checkedFacts, statedFacts, uncheckedFacts, utc } from './provenance.ts';
import type { Cell } from './sheet.ts';
import { ACCENT, GOOD, OPEN, Sheet, SOFT } from './sheet.ts';

/**
 * The certificate of a document: a PDF that says to a person what was checked, what only the sender stated, what nobody
 * checked, and by which hashes and checkpoints all of it can be verified. The same facts give the same bytes.
 */
export async function writeCertificate(facts: CertificateFacts): Promise<Buffer> {
  const sheet = new Sheet({
    title: `Certificate of document ${facts.jobId}`,
    author: facts.madeBy,
    madeAt: new Date(facts.madeAt),
  });
  masthead(sheet, facts);
  section(sheet, 'Checked by Docket', 'What was seen in the bytes themselves, or recomputed.', GOOD);
  factTable(sheet, checkedFacts(facts));
  section(
    sheet,
    'Stated by the sender',
    'Kept to the letter. It is evidence of what was said, not of what is so.',
    OPEN,
  );
  factTable(sheet, statedFacts(facts));
  section(sheet, 'Not checked', 'Nothing on these pages says anything about it.', SOFT);
  sheet.skip(5);
  for (const line of uncheckedFacts(facts)) sheet.text('P', `–  ${line}`, { size: 9, indent: 8 });
  timeline(sheet, facts);
  outside(sheet, facts);
  hashes(sheet, facts);
  howToVerify(sheet, facts);
  return sheet.end(
    (page, pages) => `Document ${facts.jobId}  ·  made ${utc(facts.madeAt)}  ·  page ${page} of ${pages}`,
  );
}

function masthead(sheet: Sheet, facts: CertificateFacts): void {
  sheet.text('P', facts.madeBy, { face: 'bold', size: 9, colour: ACCENT });
  sheet.skip(4);
  sheet.text('H1', 'Certificate of a document', { face: 'bold', size: 22 });
  sheet.skip(2);
  sheet.text('P', `What Docket knows of it, and how. Made ${utc(facts.madeAt)}.`, { size: 10, colour: SOFT });
  sheet.skip(12);
  sheet.box(
    facts.statement,
    facts.isSigned ? { colour: GOOD, fill: '#e3f3e8' } : { colour: OPEN, fill: '#fbf1d3' },
  );
  sheet.skip(8);
  sheet.table([
    pair('Document', facts.jobId, true),
    pair('SHA-256', facts.sha256, true),
    pair('State', inWords(facts.state), false),
  ]);
}

function section(sheet: Sheet, title: string, meaning: string, colour: string): void {
  sheet.need(110);
  sheet.skip(20);
  sheet.text('H2', title, { face: 'bold', size: 13, colour });
  sheet.text('P', meaning, { size: 9, colour: SOFT });
  sheet.skip(5);
  sheet.rule(colour);
}

const NAME = { x: 0, width: 96, colour: SOFT } as const;

function pair(name: string, value: string, isHash: boolean): Cell[] {
  return [
    { ...NAME, text: name },
    { x: 104, width: 383, text: value, ...(isHash ? { face: 'mono' as const, size: 8 } : {}) },
  ];
}

function factTable(sheet: Sheet, facts: readonly NamedFact[]): void {
  sheet.table(
    facts.map(({ name, value, how }) =>
      how === ''
        ? pair(name, value, false)
        : [
            { ...NAME, text: name },
            { x: 104, width: 150, text: value, face: 'bold' },
            { x: 264, width: 223, text: how, size: 8.5 },
          ],
    ),
  );
}

const COLUMNS = [
  { head: '', x: 0, width: 20 },
  { head: 'Time (UTC)', x: 22, width: 116 },
  { head: 'Event', x: 142, width: 104 },
  { head: 'State', x: 250, width: 64 },
  { head: 'By whom, and why', x: 318, width: 169 },
];

function timeline(sheet: Sheet, { timeline: events }: CertificateFacts): void {
  section(
    sheet,
    'Timeline',
    'As the append-only log has it. The hash of each event is listed below.',
    ACCENT,
  );
  sheet.table(
    events.map((event, at) => {
      const why = [event.actor, event.code, event.reason].filter(Boolean);
      const texts = [
        `${at + 1}`,
        formatTime(event.at),
        inWords(event.event),
        inWords(event.state),
        why.join(' · '),
      ];
      return COLUMNS.map(({ x, width }, column) => ({ x, width, size: 8, text: texts[column] ?? '' }));
    }),
    COLUMNS.map(({ head, x, width }) => ({ x, width, size: 8, colour: SOFT, text: head })),
  );
}

function outside(sheet: Sheet, facts: CertificateFacts): void {
  const { statement, places } = outsideCopies(facts);
  section(
    sheet,
    'Who holds which checkpoint',
    'A checkpoint elsewhere shows a later rewrite of the whole log.',
    ACCENT,
  );
  sheet.skip(5);
  sheet.text('P', statement);
  if (places.length > 0) sheet.skip(4);
  sheet.table(
    places.map(({ name, value, how }) => [
      { ...NAME, text: name },
      { x: 104, width: 176, text: value, face: 'bold' },
      { x: 288, width: 199, text: how, size: 8.5 },
    ]),
  );
  if (!facts.checkpoint) return;
  sheet.skip(10);
  sheet.text('P', `The checkpoint of ${utc(facts.checkpoint.recordedAt)}, a signed note:`, { colour: SOFT });
  sheet.skip(3);
  sheet.verbatim(facts.checkpoint.note.trimEnd().split('\n'));
}

function hashes(sheet: Sheet, { sha256, reading, timeline: events }: CertificateFacts): void {
  section(sheet, 'Hashes', 'SHA-256, in hexadecimal. How each is made: docs/audit-log.md.', ACCENT);
  sheet.table([
    pair('Scan', sha256, true),
    ...(reading
      ? [
          pair('Text, salted', reading.resultSha256, true),
          pair('OCR configuration', reading.configSha256, true),
          ...reading.superseded.map(({ resultSha256, supersededAt }) =>
            pair(`Text until ${formatTime(supersededAt).slice(0, 10)}`, resultSha256, true),
          ),
        ]
      : []),
    ...events.map(({ hash }, at) => pair(`Event ${at + 1}`, hash, true)),
  ]);
}

function howToVerify(sheet: Sheet, { jobId, checks }: CertificateFacts): void {
  section(sheet, 'How to verify it', 'This paper proves nothing by itself; it names what does.', ACCENT);
  sheet.skip(5);
  const lines = [
    `Ask for the bundle of the document (docket bundle ${jobId}) and for the public key of the log, the key by another way than the bundle.`,
    'Open verify.html in any browser, without a network, and drop the bundle on it: each step is recomputed before your eyes. The same is done by docket bundle verify, and by openssl and sha256sum: docs/bundle.md.',
    'The scan alone: sha256sum of the file must give the SHA-256 of the first page.',
    'Compare the checkpoint with the one that somebody outside holds: same origin and size, same root.',
  ];
  for (const [at, line] of lines.entries()) {
    sheet.text('P', `${at + 1}.  ${line}`, { indent: 8 });
    sheet.skip(2);
  }
  if (checks.length === 0) return;
  sheet.skip(6);
  const made = checks.map(({ checked, count }) => `${inWords(checked)} (${count})`).join(', ');
  sheet.text('P', `Checked in the database for this certificate, and found good: ${made}.`, { colour: SOFT });
}
