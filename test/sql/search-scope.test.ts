import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { asToken } from './as-token.ts';
import { boxOf, type Hit, SearchStage } from './search-stage.ts';
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
  // Finding is not reading: what a hit shows is redacted for them too.
  for (const reader of [owner, auditor]) {
    const shown = async (query: string) => {
      const [{ matched, snippet, boxes }] = (await stage.find(reader, query)) as [Hit];
      return { matched, snippet, boxes };
    };
    for (const query of [secret, code, 'PA4471189']) {
      assert.deepEqual(await shown(query), { matched: [], snippet: null, boxes: [] }, query);
    }
    assert.deepEqual(await shown(`good ${secret}`), {
      matched: ['good'],
      snippet: 'Received by ███████████ passport █████████ in «good» order',
      boxes: [boxOf(6)],
    });
  }
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
  const neighbours = Array.from('1234568', (_, place) =>
    Array.from(
      '0123456789',
      (digit) => `HHHU${'1234568'.slice(0, place)}${digit}${'1234568'.slice(place + 1)}`,
    ),
  );
  for (let flood = 0; flood < 3; flood += 1) {
    await stage.publish({
      sender: other,
      pages: Array.from(
        { length: 70 },
        (_, n) =>
          `Received gimbals gimbels gimball HHHU1234567 ${neighbours[n % 7]!.join(' ')} in good order`,
      ),
    });
  }
  await stage.index();
  assert.deepEqual(await seen(), before);
  assert.equal((await stage.find(ofB, 'gimbals')).length, 200, 'at most so many are found');
  assert.deepEqual(await stage.documents(ofBoth, 'gimbals', { source: 'carrier-a' }), [own]);
  assert.deepEqual(await stage.documents(ofA, 'gimbals', { source: 'carrier-b' }), []);
});

test('a shared document is found by each of its sources, with what each of them stated', async () => {
  const sha256 = randomHash();
  const document = await stage.publish({ sha256, pages: ['Received farthingales in good order'] });
  await stage.index();
  assert.deepEqual(await stage.find(ofB, 'farthingales'), []);
  assert.deepEqual(await stage.find(ofB, 'farthingalles'), []);
  const alone = await stage.find(ofA, 'farthingales');
  await stage.share(sha256, other, 'terms');
  await stage.index();
  for (const query of ['farthingales', 'farthingalles']) {
    const [b] = await stage.find(ofB, query);
    assert.deepEqual([b!.document_id, b!.source_id, b!.document_kind], [document, 'carrier-b', 'terms']);
  }
  assert.deepEqual(
    await stage.find(ofA, 'farthingales'),
    alone,
    'nothing tells the first source of the other',
  );
  const [a] = alone;
  assert.deepEqual([a!.source_id, a!.document_kind], ['carrier-a', 'unknown']);
  assert.deepEqual(
    await stage.documents(ofA, 'farthingales', { kind: 'terms' }),
    [],
    'that is what the other states',
  );
  assert.deepEqual(await stage.documents(ofBoth, 'farthingales', { kind: 'terms' }), [document]);
  assert.deepEqual(await stage.documents(ofBoth, 'farthingales', { kind: 'terms', source: 'carrier-a' }), []);
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
  const { rows } = await operator.pool.query<{ noted_count: string }>(
    'select * from docket.rebuild_search()',
  );
  assert.ok(Number(rows[0]!.noted_count) > 0);
  const holder = await database.pool().connect();
  await holder.query('begin');
  await holder.query(`select from docket.duties where duty = 'search' for update`);
  assert.equal(await stage.index(), 1, 'another one leaves it to who has begun');
  await holder.query('commit');
  holder.release();
  assert.ok((await stage.index(50)) > 1);
  assert.deepEqual(await stage.find(ofA, 'bulwarks'), before);
});

test('a page of any length is indexed, and keeps no other from it', async () => {
  const long = Array.from({ length: 18_000 }, (_, i) => `w${i}`.padEnd(60, 'x')).join(' ');
  const document = await stage.publish({ pages: [`Longest ${long} beyond`] });
  const next = await stage.publish({ pages: ['Following the longest'] });
  await stage.index();
  assert.deepEqual(await stage.documents(ofA, 'following longest'), [next]);
  const { rows } = await stage.db.query(
    `select count(*) filter (where terms @@ 'longest')::integer as begun, count(*) filter (where terms @@ 'beyond')::integer as ended
     from docket.page_search where job_id = $1`,
    [document],
  );
  assert.deepEqual(rows, [{ begun: 2, ended: 0 }]);
});
