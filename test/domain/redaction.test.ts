import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadingName, namesIn } from '../../src/domain/redaction/person-names.ts';
import type { PageWord, ReadPage } from '../../src/domain/redaction/redact-page.ts';
import { redactPage } from '../../src/domain/redaction/redact-page.ts';
import type { RedactionRule } from '../../src/domain/redaction/rules.ts';
import { compileRules } from '../../src/domain/redaction/rules.ts';

const RULE: RedactionRule = {
  rule: 'secret',
  reason: 'test',
  documentKind: null,
  pattern: null,
  validator: null,
  region: null,
};
const page = (text: string, words: PageWord[] = [], changes: Partial<ReadPage> = {}): ReadPage => ({
  width: 1000,
  height: 2000,
  rotation: 0,
  text,
  words,
  ...changes,
});
const byPattern = (pattern: string, validator: string | null = null) =>
  compileRules([{ ...RULE, pattern, validator }]);

test('a masked text has the length of the text, a block for each character and white space as it was', () => {
  const { text, masks } = redactPage(
    page('Name: Ada\n Lovelace, x'),
    byPattern('Ada\\s+Lovelace'),
    'unknown',
  );
  assert.equal(text, 'Name: ███\n ████████, x');
  assert.deepEqual(masks, [{ rule: 'secret', reason: 'test', start: 6, length: 13, boxes: [] }]);
});

test('places count code points, so that substring in Postgres finds the same', () => {
  const text = '🚢 𝔸 Ada';
  const { masks, text: masked } = redactPage(page(text), byPattern('Ada'), 'unknown');
  assert.deepEqual(
    masks.map(({ start, length }) => [start, length]),
    [[4, 3]],
  );
  assert.equal(masked, '🚢 𝔸 ███');
});

test('words that a mask touches are gone, and their boxes say where', () => {
  const words: PageWord[] = [
    ['Tel:+49', 90, 10, 20, 80, 40],
    ['555', 90, 90, 20, 120, 40],
    ['kg', 90, 130, 20, 150, 40],
  ];
  const made = redactPage(page('Tel:+49 555 kg', words), byPattern('\\+49 555'), 'unknown');
  assert.deepEqual(made.words, [words[2]]);
  assert.deepEqual(made.masks[0]?.boxes, [
    [10, 20, 80, 40],
    [90, 20, 120, 40],
  ]);
  assert.equal(made.text, 'Tel:███ ███ kg');
});

test('of a word that is masked in part the letters beside are masked too', () => {
  assert.equal(redactPage(page('xAday kg'), byPattern('Ada'), 'unknown').text, '█████ kg');
});

test('words that do not stand in the text are left out, with all that follow them', () => {
  const words: PageWord[] = [
    ['gross', 90, 0, 0, 1, 1],
    ['other', 90, 0, 0, 1, 1],
    ['kg', 90, 0, 0, 1, 1],
  ];
  assert.deepEqual(redactPage(page('gross weight kg', words), byPattern('zzz'), 'unknown').words, [words[0]]);
});

test('a region masks the words in it on the upright page, whatever way the scan lies', () => {
  // the lower right quarter of the upright page: of a scan that must be turned clockwise, its upper right
  const rules = compileRules([{ ...RULE, documentKind: 'cmr_note', region: [0.5, 0.5, 1, 1] }]);
  const words: PageWord[] = [
    ['kg', 90, 100, 100, 140, 130],
    ['Ada', 90, 700, 100, 740, 130],
  ];
  const turned = redactPage(page('kg Ada', words, { rotation: 90 }), rules, 'cmr_note');
  assert.equal(turned.text, 'kg ███');
  assert.deepEqual(turned.words, [words[0]]);
  assert.deepEqual(turned.masks.at(-1), {
    rule: 'secret',
    reason: 'test',
    start: 0,
    length: 0,
    boxes: [[500, 0, 1000, 1000]],
  });
  assert.equal(redactPage(page('kg Ada', words), rules, 'cmr_note').text, 'kg Ada');
  assert.equal(redactPage(page('kg Ada', words, { rotation: 90 }), rules, 'unknown').text, 'kg Ada');
});

test('a rule set of which one rule is wrong cannot be applied at all', () => {
  assert.throws(() => byPattern('(unclosed'), /pattern of rule "secret"/);
  assert.throws(() => byPattern('x', 'toString'), /unknown validator/);
  assert.throws(() => compileRules([{ ...RULE }]), /neither a pattern nor a region/);
  assert.throws(() => compileRules([{ ...RULE, region: [0, 0, 2, 1] }]), /no box/);
});

test('what a label announces is the name of a person, and no company, word of the form or sentence', () => {
  const nameOf = (text: string) => {
    const span = leadingName(text);
    return span && text.slice(span.start, span.end);
  };
  assert.equal(nameOf('K. HALVORSEN #8972'), 'K. HALVORSEN');
  assert.equal(nameOf('Maria Keller Date 12.03.2026'), 'Maria Keller');
  assert.equal(nameOf('Mr. van der Berg from Rotterdam'), 'Mr. van der Berg');
  assert.equal(nameOf('Kel1er, 0laf\nDate'), 'Kel1er, 0laf');
  assert.equal(nameOf('Maria\nKeller'), 'Maria\nKeller');
  for (const other of [
    'Hollin Refrigeration BV',
    'Sorrel & Vane Foods Inc.',
    'waited 19 min',
    'Date 3 May',
    '',
  ]) {
    assert.equal(nameOf(other), undefined, other);
  }
});

test('names are found among other words, two beside each other as one', () => {
  const text = 'L. Brandt S. Marchetti 17.09.2026 12:45 Lindqvist Papper AB';
  assert.deepEqual(
    namesIn(text).map(({ start, end }) => text.slice(start, end)),
    ['L. Brandt S. Marchetti'],
  );
});

test('what looks alike is found alike: blanks, hyphens, accents, full width, and signs that cannot be seen', () => {
  const digits = byPattern('\\d{4}(?:[ -]?\\d{4}){3}', 'card');
  for (const between of [
    '\u00a0',
    '\u2009',
    '\t',
    '\u00ad',
    '\u200b',
    '\u2011',
    '\u202f\u200d',
    '\ufeff',
    ' ',
  ]) {
    const number = ['4111', '1111', '1111', '1111'].join(between);
    const { text, masks } = redactPage(page(`🚢 No ${number} kg`), digits, 'unknown');
    assert.match(text, /^🚢 No [█\s]+ kg$/u, JSON.stringify(between));
    assert.deepEqual(
      masks.map(({ start, length }) => [start, length]),
      [[5, Array.from(number).length]],
      JSON.stringify(between),
    );
  }
  const wide = redactPage(page('No ４１１１ １１１１ １１１１ １１１１'), digits, 'unknown');
  assert.equal(wide.text, 'No ████ ████ ████ ████');
  const accents = redactPage(
    page('to jo\u0301se\u0301@ex.es now'),
    byPattern('[\\p{L}]+@ex\\.es'),
    'unknown',
  );
  assert.equal(accents.text, `to ${'█'.repeat(12)} now`);
});

test('text of which no word says where it stands is masked wherever a region is', () => {
  const region = compileRules([{ ...RULE, region: [0, 0, 0.1, 0.1] }]);
  const words: PageWord[] = [
    ['Gross', 90, 500, 1000, 600, 1040],
    ['other', 90, 700, 1000, 800, 1040],
  ];
  const text = 'Gross weight Ada Lovelace\n';
  assert.equal(redactPage(page(text, words), region, 'unknown').text, 'Gross ██████ ███ ████████\n');
  assert.equal(redactPage(page('Ada', []), region, 'unknown').text, '███');
  assert.equal(redactPage(page(text, words), compileRules([]), 'unknown').text, text);
});
