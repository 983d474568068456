import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { asToken } from './as-token.ts';
import { refused } from './refused.ts';
import { boxOf, SearchStage } from './search-stage.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const stage = await SearchStage.open(database);
const { other } = stage.further;
const ofA = await stage.analystOf('carrier-a');
const ofB = await stage.analystOf('carrier-b');
const ofBoth = await stage.analystOf('carrier-a', 'carrier-b');
const owner = await createLogin(database, 'docket_evidence_owner');
const auditor = await createLogin(database, 'docket_auditor');
const operator = await createLogin(database, 'docket_operator');

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
  const split = (await stage.find(ofA, 'XQTU8765432')).find((hit) => hit.snippet.includes('876543 2'))!;
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

test('what is masked is reached by no exact and no damaged word, prefix, rank or count', async () => {
  const secret = 'Zwicklhuber';
  const code = 'PA4471188';
  const paper = {
    pages: [`Received by ${secret} passport ${code} in good order`],
    masked: [secret, code],
  };
  const document = await stage.publish(paper);
  await stage.index();
  const queries = [
    secret,
    code,
    'Zwicklhubor',
    'wicklhuber',
    'Zwickl',
    'PA4471189',
    'PA 447 1188',
    'P4A471188',
  ];
  for (const query of [...queries, `good ${secret}`, `received ${code}`]) {
    for (const reader of [ofA, ofB, ofBoth]) assert.deepEqual(await stage.find(reader, query), [], query);
  }
  const { rows } = await database
    .pool()
    .query(`select word from docket.search_words where reader like $1 and word ~ 'wickl|44711'`, [
      `${String(await stage.activeRuleSet())}/%`,
    ]);
  assert.deepEqual(rows, [], 'not even among the words that a damaged one is compared with');
  // Who may see the full text finds it.
  for (const reader of [owner, auditor]) {
    assert.deepEqual(await stage.documents(reader, secret), [document]);
    assert.deepEqual(await stage.documents(reader, 'PA4471189'), [document]);
  }
  const [hit] = await stage.find(ofA, 'passport');
  assert.equal(hit!.snippet, 'Received by ███████████ «passport» █████████ in good order');
  assert.deepEqual(hit!.boxes, [boxOf(3)]);
  assert.equal((await stage.find(auditor, secret))[0]!.snippet.includes(`«${secret}»`), true);
});

test('a code does not reach over a mask', async () => {
  await stage.publish({ pages: ['Received JQPU 445566 secret 7 in good order'], masked: ['445566'] });
  await stage.index();
  assert.deepEqual(await stage.find(ofA, 'JQPU7'), []);
  assert.deepEqual(await stage.find(ofA, 'JQPU4455667'), []);
});

test('each source finds its own documents; a flood of the same words from another changes nothing', async () => {
  const own = await stage.publish({ pages: ['Received gimbals HHHU1234567 in good order'] });
  await stage.index();
  const queries = ['gimbals', 'HHHU1234567', 'HHHU1234568', 'gimbels', 'gimbals order'];
  const seen = () => Promise.all(queries.map((query) => stage.find(ofA, query)));
  const before = await seen();
  assert.deepEqual(
    before.map((hits) => hits.map((hit) => hit.document_id)),
    queries.map(() => [own]),
  );
  // More of the exact words than a search returns, and more neighbours than it looks at.
  for (let flood = 0; flood < 3; flood += 1) {
    await stage.publish({
      sender: other,
      pages: Array.from(
        { length: 200 },
        (_, n) =>
          `Received gimbals gimbels gimball HHHU1234567 HHHU123456${n % 10} HHHU12345${10 + n} in good order`,
      ),
    });
  }
  await stage.index();
  assert.deepEqual(await seen(), before);
  assert.equal((await stage.find(ofB, 'gimbals')).length, 500, 'at most so many are found');
  assert.deepEqual(await stage.documents(ofBoth, 'gimbals', { source: 'carrier-a' }), [own]);
  assert.deepEqual(await stage.documents(ofA, 'gimbals', { source: 'carrier-b' }), []);
});

test('a shared document is found by each of its sources, with what each of them stated', async () => {
  const sha256 = randomHash();
  const document = await stage.publish({ sha256, pages: ['Received farthingales in good order'] });
  await stage.index();
  assert.deepEqual(await stage.find(ofB, 'farthingales'), []);
  assert.deepEqual(await stage.find(ofB, 'farthingalles'), []);
  await stage.share(sha256, other, 'terms');
  await stage.index();
  for (const query of ['farthingales', 'farthingalles']) {
    const [b] = await stage.find(ofB, query);
    assert.deepEqual([b!.document_id, b!.source_id, b!.document_kind], [document, 'carrier-b', 'terms']);
  }
  const [a] = await stage.find(ofA, 'farthingales');
  assert.deepEqual([a!.source_id, a!.document_kind], ['carrier-a', 'unknown']);
  assert.deepEqual(
    await stage.documents(ofA, 'farthingales', { kind: 'terms' }),
    [],
    'that is what the other states',
  );
  assert.deepEqual(await stage.documents(ofBoth, 'farthingales', { kind: 'terms' }), [document]);
  assert.deepEqual(await stage.documents(ofBoth, 'farthingales', { kind: 'terms', source: 'carrier-a' }), []);
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

test('pages of results follow each other without a gap or a repetition', async () => {
  for (let n = 0; n < 5; n += 1) {
    await stage.publish({ pages: Array.from({ length: 7 }, () => 'Received bulwarks in good order') });
  }
  await stage.index();
  const key = (hit: { document_id: string; page_no: number }) => `${hit.document_id}/${String(hit.page_no)}`;
  const all = (await stage.find(ofA, 'bulwarks')).map(key);
  assert.equal(new Set(all).size, 35);
  const paged: string[] = [];
  for (let offset = 0; offset < 40; offset += 8) {
    const { rows } = await ofA.pool.query<{ document_id: string; page_no: number }>(
      `select document_id, page_no from docket_api.search('bulwarks') limit 8 offset $1`,
      [offset],
    );
    paged.push(...rows.map(key));
  }
  assert.deepEqual(paged, all);
});

test('analysts search by the active rule set from the moment it is active; what nobody uses leaves the index', async () => {
  const document = await stage.publish({
    pages: ['Received by Quennell in good order'],
    masked: ['Quennell'],
  });
  await stage.index();
  const before = await stage.activeRuleSet();
  const rules = JSON.stringify([
    { rule: 'none', reason: 'none', pattern: 'zzzz', meaning: 'Finds nothing.' },
  ]);
  const { rows } = await owner.pool.query<{ id: number }>(
    `select docket.stage_rule_set('open', 'Masks nothing.', $1) as id`,
    [rules],
  );
  const staged = rows[0]!.id;
  await stage.redactAll(staged);
  await stage.index();
  assert.deepEqual(await stage.find(ofA, 'Quennell'), [], 'staged is not active');

  await owner.pool.query(`select docket.activate_rule_set($1, 'test')`, [staged]);
  assert.deepEqual(await stage.documents(ofA, 'Quennell'), [document]);
  assert.deepEqual(await stage.documents(ofA, 'Quennall'), [document]);
  await stage.index(50);
  const scopes = await database
    .pool()
    .query(
      'select distinct scope from docket.page_search union select scope from docket.search_scopes order by 1',
    );
  assert.deepEqual(
    scopes.rows.map((row: { scope: number }) => row.scope),
    [0, staged],
  );
  const left = await database
    .pool()
    .query('select from docket.search_words where reader like $1 limit 1', [`${String(before)}/%`]);
  assert.equal(left.rowCount, 0);

  // An emergency brings back the old set: nothing is found by a set that the index does not hold, until it does again.
  await owner.pool.query(`select docket.activate_rule_set($1, 'leak', true)`, [before]);
  assert.deepEqual(await stage.find(ofA, 'Quennell'), []);
  assert.deepEqual(await stage.find(ofA, 'bulwarks'), []);
  await stage.index();
  assert.deepEqual(await stage.find(ofA, 'Quennell'), []);
  assert.equal((await stage.find(ofA, 'bulwarks')).length, 35);
});

test('a document that is not redacted by the active set is not found, whatever the index holds', async () => {
  const document = await stage.publish({ pages: ['Received capstans in good order'] });
  await stage.index();
  assert.deepEqual(await stage.documents(ofA, 'capstans'), [document]);
  await database.pool().query(`alter table docket.redactions disable trigger all`);
  await database.pool().query('delete from docket.redactions where job_id = $1', [document]);
  assert.deepEqual(await stage.find(ofA, 'capstans'), []);
  assert.deepEqual(await stage.documents(auditor, 'capstans'), [document]);
});

test('a token searches its own sources in the scope of its role', async () => {
  const document = await stage.publish({
    pages: ['Received by Ottoline hawsers in good order'],
    masked: ['Ottoline'],
  });
  await stage.index();
  const found = async (role: 'analyst' | 'evidence_owner' | 'auditor', sources: string[], query: string) => {
    const { rows } = await asToken(
      database,
      { role, sources },
      'select document_id from docket_api.search($1)',
      [query],
    );
    return rows.map((row) => row['document_id']);
  };
  assert.deepEqual(await found('analyst', ['carrier-a'], 'hawsers'), [document]);
  assert.deepEqual(await found('analyst', ['*'], 'hawsers'), [document]);
  assert.deepEqual(await found('analyst', ['*'], 'Ottoline'), []);
  assert.deepEqual(await found('analyst', ['carrier-b'], 'hawsers'), []);
  assert.deepEqual(await found('analyst', [], 'hawsers'), []);
  assert.deepEqual(await found('evidence_owner', ['carrier-a'], 'Ottoline'), [document]);
  assert.deepEqual(await found('auditor', ['carrier-b'], 'Ottoline'), []);
  await assert.rejects(
    asToken(database, { role: 'operator', sources: ['*'] }, `select from docket_api.search('x')`),
    {
      code: '42501',
    },
  );
});

test('no page is shown by hand outside of the scope and the sources of the caller', async () => {
  const document = await stage.publish({ pages: ['Received by Isolde in good order'], masked: ['Isolde'] });
  await stage.index();
  const scope = await stage.activeRuleSet();
  const show = (scopeAsked: number) =>
    `select (docket.show_page(${String(scopeAsked)}, '${document}', 2, 1, '{isolde,received}')).*`;
  await assert.rejects(ofA.pool.query(show(scope)), { code: '42501' });
  for (const reader of [ofA, ofB])
    await database.pool().query(`grant usage on schema docket to ${reader.name}`);
  const nothing = [{ matched: null, snippet: null, boxes: null }];
  assert.deepEqual((await ofA.pool.query(show(scope))).rows[0], {
    matched: ['received'],
    snippet: '«Received» by ██████ in good order',
    boxes: [boxOf(0)],
  });
  assert.deepEqual((await ofA.pool.query(show(0))).rows, nothing);
  assert.deepEqual((await ofB.pool.query(show(scope))).rows, nothing);
  for (const table of ['page_search', 'search_words', 'search_todo', 'search_scopes']) {
    await assert.rejects(ofA.pool.query(`select from docket.${table}`), { code: '42501' });
  }
});

test('the index is made again on demand, by one process at a time', async () => {
  const before = await stage.find(ofA, 'bulwarks');
  assert.ok(Number((await operator.pool.query('select docket.rebuild_search()')).rows[0].rebuild_search) > 0);
  const holder = await database.pool().connect();
  await holder.query('begin');
  await holder.query(`select from docket.duties where duty = 'search' for update`);
  assert.equal(await stage.index(), 1, 'another one leaves it to who has begun');
  await holder.query('commit');
  holder.release();
  assert.ok((await stage.index(50)) > 1);
  assert.deepEqual(await stage.find(ofA, 'bulwarks'), before);
});
