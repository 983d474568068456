import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { page, result, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

// A kind with a gate of each sort, so that the test does not follow the kinds that come with the product.
await stage.db.query(
  `insert into docket.document_kinds
     (document_kind, min_pages, max_pages, min_characters, min_confidence, required_patterns, meaning)
   values ('strict', 2, 3, 20, 60, array['lading', 'no\\. ?[0-9]+'], 'For tests.')`,
);

const GOOD_TEXT = 'BILL OF LADING\nNo. 4711 received';
const pages = (texts: string[], changes: Record<string, unknown> = {}) =>
  texts.map((text, index) => page(text, { page_no: index + 1, ...changes }));

/** A result of two pages that passes every gate of the kind, with what is to be otherwise. */
function strict(texts = [GOOD_TEXT, 'second page'], changes: Record<string, unknown> = {}): string {
  const recognised = pages(texts);
  return result({ pages_declared: texts.length, pages_decoded: texts.length, pages: recognised, ...changes });
}

/** What the gates make of a result: outcome, code, and the reasons that the event states. */
async function judge(
  text: string,
): Promise<{ outcome: string; code: string | null; reasons: string[] | null }> {
  const open = await stage.running({ documentKind: 'strict' });
  const { outcome, code } = await stage.record(open, text);
  const event = await stage.lastEvent(open.job_id);
  const row = await stage.job(open.job_id);
  assert.equal(row['state'], outcome);
  assert.equal(event['code'], code);
  assert.equal(row['last_code'], code);
  assert.equal(row['token'], null);
  const reasons = event.detail['reasons'] as string[] | null;
  if (reasons) assert.equal(event['reason'], reasons.join('; '));
  return { outcome, code, reasons };
}

test('a result that passes every gate is validated, and publication is due', async () => {
  assert.deepEqual(await judge(strict()), { outcome: 'validated', code: null, reasons: null });
});

test('what passes by a hair is validated', async () => {
  const texts = ['lading no.1', 'x'.repeat(10)];
  const at60 = pages(texts, { confidence: 60 });
  assert.equal((await judge(strict(texts, { pages: at60 }))).outcome, 'validated');
  assert.equal((await judge(strict([GOOD_TEXT, 'b', 'c']))).outcome, 'validated');
});

const REJECTED: [name: string, text: string, code: string, reasons: RegExp[]][] = [
  [
    'fewer pages decoded than declared',
    strict(undefined, { pages_declared: 3 }),
    'PAGE_COUNT_MISMATCH',
    [/^3 pages declared, 2 decoded, 2 recognised$/],
  ],
  [
    'fewer pages recognised than decoded',
    strict(undefined, { pages_declared: 3, pages_decoded: 3 }),
    'PAGE_COUNT_MISMATCH',
    [/^3 pages declared, 3 decoded, 2 recognised$/],
  ],
  [
    'no page at all',
    strict([]),
    'PAGE_COUNT_MISMATCH',
    [/^0 pages/, /^0 pages, strict allows 2 to 3$/, /^0 characters/, /lading/, /no/],
  ],
  [
    'a warning of the decoder',
    strict(undefined, { warnings: ['strip 3 short', 'crc'] }),
    'DECODER_WARNING',
    [/^decoder: strip 3 short; crc$/],
  ],
  ['too few pages', strict([GOOD_TEXT]), 'VALIDATION_REJECTED', [/^1 pages, strict allows 2 to 3$/]],
  [
    'too many pages',
    strict([GOOD_TEXT, '2', '3', '4']),
    'VALIDATION_REJECTED',
    [/^4 pages, strict allows 2 to 3$/],
  ],
  [
    'too few characters, white space not counted',
    strict(['lading no.1', '12345678  \n \t ']),
    'VALIDATION_REJECTED',
    [/^18 characters of text, strict needs 20$/],
  ],
  [
    'too little confidence',
    strict(undefined, { pages: pages([GOOD_TEXT, 'second page'], { confidence: 59.9 }) }),
    'VALIDATION_REJECTED',
    [/^confidence 59\.9, strict needs 60$/],
  ],
  [
    'a required pattern that is nowhere',
    strict(['BILL OF LADING without a number', 'second page']),
    'VALIDATION_REJECTED',
    [/^required pattern "no\\. \?\[0-9\]\+" not found$/],
  ],
];

for (const [name, text, code, reasons] of REJECTED) {
  test(`${name}: quarantined as ${code}, with the reasons`, async () => {
    const seen = await judge(text);
    assert.deepEqual([seen.outcome, seen.code], ['quarantined', code]);
    assert.equal(seen.reasons?.length, reasons.length, JSON.stringify(seen.reasons));
    for (const [index, reason] of reasons.entries()) assert.match(seen.reasons[index]!, reason);
  });
}

test('of several failures the weightiest gives the code, and all are listed in order of weight', async () => {
  const seen = await judge(
    strict(['few words'], {
      pages_declared: 2,
      warnings: ['crc'],
      pages: pages(['few words but twenty characters'], { confidence: 10 }),
    }),
  );
  assert.equal(seen.code, 'PAGE_COUNT_MISMATCH');
  assert.deepEqual(
    seen.reasons?.map((reason) => reason.split(' ').slice(0, 2).join(' ')),
    ['2 pages', 'decoder: crc', '1 pages,', 'confidence 10.0,', 'required pattern', 'required pattern'],
  );
  const warned = await judge(strict(['few'], { warnings: ['crc'] }));
  assert.equal(warned.code, 'DECODER_WARNING');
});

test('confidence is that of the pages that hold text; blank pages do not count against it', async () => {
  const mixed = [
    page(GOOD_TEXT, { page_no: 1, confidence: 61 }),
    page('', { page_no: 2, confidence: 0, verdict: 'blank', words: [] }),
  ];
  assert.equal((await judge(strict(undefined, { pages: mixed }))).outcome, 'validated');
});

test('a pattern may be on any page and in any case', async () => {
  assert.equal((await judge(strict(['first page of two', 'bill of LaDiNg NO.1']))).outcome, 'validated');
});

test('a rejected result is kept with its pages, for people to look at', async () => {
  const open = await stage.running({ documentKind: 'strict' });
  await stage.record(open, strict([GOOD_TEXT]));
  const { rows } = await stage.db.query<{ text: string }>('select text from docket.pages where job_id = $1', [
    open.job_id,
  ]);
  assert.deepEqual(rows, [{ text: GOOD_TEXT }]);
});

test('gates are those of the kind that the evidence states', async () => {
  const open = await stage.running({ documentKind: 'unknown' });
  assert.equal((await stage.record(open, result({ pages: [page('ok')] }))).outcome, 'validated');
});

test('what is read by a configuration with gates of its own is judged by those, whatever is active when it is done', async () => {
  const olga = await createLogin(database, 'docket_operator');
  const [added] = await commands.addOcrVersion(olga.pool, {
    engine: null,
    ...{ parameters: '{}', pins: '{}', reason: 'a test' },
    gates: '{"strict": {"min_confidence": 30.5, "min_characters": 5}, "unknown": {"min_confidence": 99}}',
  });
  const choose = (version: number) =>
    stage.db.query('update docket.ocr_choice set active_version = $1', [version]);
  const begunBy = async (version: number, documentKind: string) => {
    await choose(version);
    const open = await stage.running({ documentKind });
    await choose(version === 1 ? added!.ocr_version : 1);
    return open;
  };
  const texts = ['lading no.1', 'short'];
  const faint = strict(texts, { pages: pages(texts, { confidence: 30.5 }) });
  const byTwo = await begunBy(added!.ocr_version, 'strict');
  assert.equal((await stage.record(byTwo, faint)).outcome, 'validated');
  const byOne = await begunBy(1, 'strict');
  assert.equal((await stage.record(byOne, faint)).outcome, 'quarantined');
  const tooFaint = await begunBy(added!.ocr_version, 'strict');
  await stage.record(tooFaint, strict(texts, { pages: pages(texts, { confidence: 30 }) }));
  assert.equal(
    (await stage.lastEvent(tooFaint.job_id))['reason'],
    'confidence 30.0, strict needs 30.5',
    'the other gates are those of the kind',
  );
  // A kind that the configuration does not name has the gates that it always had.
  const other = await begunBy(added!.ocr_version, 'packing_list');
  await stage.record(other, result({ pages: [page('x'.repeat(60), { confidence: 59 })] }));
  assert.equal((await stage.lastEvent(other.job_id))['reason'], 'confidence 59.0, packing_list needs 60');
  await choose(1);
});

test('a result of another shape than the documented one is refused, and the attempt stays open', async () => {
  const open = await stage.running();
  const before = await stage.job(open.job_id);
  for (const broken of [
    '{}',
    '[]',
    'null',
    result({ pages: {} }),
    result({ pages: null }),
    result({ pages_declared: null }),
    result({ pages_decoded: 'two' }),
    result({ warnings: null }),
    result({ warnings: 'none' }),
    result({ pages: ['page'] }),
    result({ pages: [page('x', { page_no: null })] }),
    result({ pages: [page('x', { page_no: 0 })] }),
    result({ pages: [page('x', { page_no: 2 })] }),
    result({ pages: [page('x'), page('y')] }),
    result({ pages: [page('x', { page_no: 1 }), page('y', { page_no: 3 })] }),
    result({ pages: [page('x', { width: 'wide' })] }),
    result({ pages: [page('x', { width: null })] }),
    result({ pages: [page('x', { dpi: null })] }),
    result({ pages: [page('x', { rotation: 45 })] }),
    result({ pages: [page('x', { verdict: 'maybe' })] }),
    result({ pages: [page('x', { confidence: 101 })] }),
    result({ pages: [page('x', { confidence: null })] }),
    result({ pages: [page('x', { text: null })] }),
    result({ pages: [page('x', { words: 'none' })] }),
    result({ pages: [page('x\0y')] }),
  ]) {
    await refused('ZD041', stage.record(open, broken)).catch((error: unknown) => {
      throw new Error(`${broken}: ${(error as Error).message}`);
    });
  }
  assert.deepEqual(await stage.job(open.job_id), before);
});
