import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { refused } from './refused.ts';
import { boxOf, SearchStage } from './search-stage.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const stage = await SearchStage.open(database);
const { other } = stage.further;
const ofA = await stage.analystOf('carrier-a');
const ofBoth = await stage.analystOf('carrier-a', 'carrier-b');

test('a container number is found with the page, the box and the hash of the evidence', async () => {
  const sha256 = randomHash();
  const document = await stage.publish({
    sha256,
    pages: ['Terms of carriage', 'Received in good order\ncontainer QXDU7654321, sealed.'],
  });
  await stage.index();
  const [hit, ...more] = await stage.find(ofA, 'qxdu7654321');
  assert.deepEqual(more, []);
  assert.equal(hit!.document_id, document);
  assert.equal(hit!.page_no, 2);
  assert.equal(hit!.sha256, sha256.toString('hex'));
  assert.equal(hit!.source_id, 'carrier-a');
  assert.equal(hit!.is_exact, true);
  assert.deepEqual(hit!.matched, ['qxdu7654321']);
  assert.equal(hit!.snippet, 'Received in good order container «QXDU7654321», sealed.');
  // The sixth token of its page.
  assert.deepEqual(hit!.boxes, [boxOf(5)]);
});

const DAMAGED = {
  'another character': 'VLNU2345678',
  'a missing character': 'VLNU234567',
  'a character too many': 'VLNU23456789',
  'two characters swapped': 'VLNU2354679',
  'two characters swapped across the middle': 'VLNU2435679',
  'a damaged first letter': 'WLNU2345679',
  'a letter read as a digit': 'VLNU2E45679',
  'a digit read as a letter that looks like it, and another character': 'VLNUZ345678',
};

for (const [damage, damaged] of Object.entries(DAMAGED)) {
  test(`a container number with ${damage} is found, whichever side is damaged, and is not called exact`, async () => {
    const right = 'VLNU2345679';
    const onPage = await stage.publish({ pages: [`Received one box ${damaged} in good order`] });
    await stage.index();
    const hits = await stage.find(ofA, right);
    assert.ok(
      hits.some(
        (hit) => hit.document_id === onPage && !hit.is_exact && hit.matched[0] === damaged.toLowerCase(),
      ),
    );
    const truth = await stage.publish({ pages: [`Received one box ${right} in good order`] });
    await stage.index();
    const asked = await stage.find(ofA, damaged);
    assert.ok(asked.some((hit) => hit.document_id === truth && !hit.is_exact));
    // What is exact comes first, though it was indexed later than some that are not.
    assert.equal(asked[0]!.document_id, onPage);
    assert.equal(asked[0]!.is_exact, true);
  });
}

test('two different characters make another number, which is not found', async () => {
  await stage.publish({ pages: ['Received in good order ZKRU1112223'] });
  await stage.index();
  assert.deepEqual(await stage.find(ofA, 'ZKRU1112255'), []);
  assert.deepEqual(await stage.find(ofA, 'ZKRU3112224'), []);
});

test('a code is one, whether blanks, hyphens or dots split it on the page or in the query', async () => {
  const spellings = [
    'XQTU8765432',
    'XQTU 876543 2',
    'XQTU 8765432',
    'XQTU-876543-2',
    'xqtu 876543-2',
    'XQTU.876543.2',
  ];
  const documents = new Set<string>();
  for (const spelling of spellings)
    documents.add(await stage.publish({ pages: [`Received container ${spelling} in good order`] }));
  await stage.index();
  for (const query of spellings) {
    const hits = await stage.find(ofA, query);
    assert.deepEqual(new Set(hits.map((hit) => hit.document_id)), documents, query);
    assert.ok(
      hits.every((hit) => hit.is_exact),
      query,
    );
  }
  const split = (await stage.find(ofA, 'XQTU8765432')).find((hit) => hit.snippet?.includes('876543 2'))!;
  assert.equal(split.snippet, 'Received container «XQTU 876543 2» in good order');
  assert.deepEqual(split.boxes, [2, 3, 4].map(boxOf));
});

test('of several words all must be on the page, in any order, and near each other ranks first', async () => {
  const text = (between: string) => `Received sprockets ${between} turnbuckles in good order`;
  const far = await stage.publish({
    pages: [text('and many other things of all sorts that are not named here and')],
  });
  const near = await stage.publish({ pages: [text('and')] });
  const farther = await stage.publish({ pages: [text('and many other things of all sorts, '.repeat(5))] });
  await stage.publish({ pages: ['Received sprockets in good order', 'Received turnbuckles in good order'] });
  await stage.index();
  assert.deepEqual(await stage.documents(ofA, 'turnbuckles sprockets'), [near, far, farther]);
});

test('a damaged plain word is found where nothing is exact', async () => {
  const damaged = await stage.publish({ pages: ['Received at Rottordarn in good order'] });
  await stage.index();
  for (const query of ['Rotterdam', 'rottordam', 'R0ttordam']) {
    const [hit] = await stage.find(ofA, query);
    assert.deepEqual([hit?.document_id, hit?.is_exact], [damaged, false], query);
  }
  assert.deepEqual(await stage.find(ofA, 'Rutterdam'), [], 'two damages are too many');
  const exact = await stage.publish({ pages: ['Received at Rottordam in good order'] });
  await stage.index();
  assert.deepEqual(await stage.documents(ofA, 'rottordam'), [exact]);
});

test('whatever a query holds, it is words and punctuation', async () => {
  await stage.publish({ pages: [`Received "it's" in good order: O'Brien & Söhne, ${'x'.repeat(80)}`] });
  await stage.index();
  const odd = [
    `'`,
    `''`,
    `"good`,
    `good'; drop table docket.jobs; --`,
    `good & | ! <-> order`,
    `good:*`,
    `((good`,
    `\\`,
    `good\\'`,
    `%`,
    `_`,
    `good %`,
    '█',
    '█████',
    'carrier:a',
    '1/carrier-a',
    'era:0',
    `kind:unknown`,
    '\n\t',
    `o'brien`,
    'Söhne',
    '💥',
    'a\u00a0b',
    '{}',
    '$1',
    '..',
    '-',
    `x`.repeat(200),
  ];
  for (const query of odd) assert.ok(Array.isArray(await stage.find(ofA, query)), query);
  assert.equal((await stage.find(ofA, `o'brien & söhne`)).length, 1);
  assert.equal((await stage.find(ofA, 'OBrien')).length, 1);
  for (const marks of ['carrier:a', 'era:0', 'kind:unknown', '1/*']) {
    assert.deepEqual(await stage.find(ofA, marks), [], marks);
  }
});

test('a query without a word finds nothing, and one that is too long is refused by name', async () => {
  for (const query of ['', '   ', '...', null]) assert.deepEqual(await stage.find(ofA, query), []);
  await refused('ZD070', stage.find(ofA, 'x'.repeat(201)));
  await refused('ZD070', stage.find(ofA, 'a b c d e f g h i j k'));
  assert.deepEqual(await stage.find(ofA, 'aa bb cc dd ee ff gg hh ii jj'), []);
});

test('documents are filtered by source, kind and the days of a span, both included', async () => {
  const text = ['Received mizzenmasts in good order'];
  const july = await stage.publish({ pages: text, documentDate: '2026-07-31' });
  const august = await stage.publish({
    pages: text,
    documentDate: '2026-08-01',
    documentKind: 'weighbridge_ticket',
  });
  const undated = await stage.publish({ pages: text });
  const ofOther = await stage.publish({ pages: text, documentDate: '2026-07-31', sender: other });
  await stage.index();
  const found = (filter: Parameters<typeof stage.find>[2]) => stage.documents(ofBoth, 'mizzenmasts', filter);
  assert.deepEqual(await found({}), [ofOther, undated, august, july]);
  assert.deepEqual(await found({ from: '2026-07-31', to: '2026-07-31' }), [ofOther, july]);
  assert.deepEqual(await found({ from: '2026-08-01' }), [august]);
  assert.deepEqual(await found({ to: '2026-07-31' }), [ofOther, july]);
  assert.deepEqual(await found({ from: '1900-01-01', to: '2026-08-01', source: 'carrier-a' }), [
    august,
    july,
  ]);
  assert.deepEqual(await found({ from: '2026-07-01', to: '2026-08-31', kind: 'weighbridge_ticket' }), [
    august,
  ]);
  assert.deepEqual(await found({ kind: `unknown'` }), []);
  assert.deepEqual(await found({ kind: 'no-such-kind' }), []);
  assert.deepEqual(await found({ from: '2026-08-02', to: '2026-07-01' }), []);
  assert.deepEqual(await found({ from: '-infinity', to: 'infinity' }), [ofOther, august, july]);
});
