import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventHash, type AuditEvent } from '../../src/domain/event-hash.ts';
import { resultHash } from '../../src/domain/result-hash.ts';
import { createTestDatabase } from '../support/database.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const db = stage.db;

const ALPHABETS = [
  'abc XYZ09',
  'äöüßñç',
  '日本語漢字',
  '😀🚢📄𝕏',
  'שלוםعربي',
  '\u0001\t\n\r\\"\'{}$',
  '\u0301\u200d\ufeff\uffff',
];

/** A random text, often of several scripts, sometimes empty or long; never with NUL, which Postgres cannot hold. */
function text(): string {
  const length = [0, 1, randomInt(30), randomInt(300)][randomInt(4)]!;
  const letters = [...ALPHABETS[randomInt(ALPHABETS.length)]!, ...ALPHABETS[randomInt(ALPHABETS.length)]!];
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/** Times by hand: as Postgres reads them, and microseconds since 2000. */
const TIMES: [string, bigint][] = [
  ['2000-01-01 00:00:00+00', 0n],
  ['2000-01-01 00:00:00.000001+00', 1n],
  ['1999-12-31 23:59:59.999999+00', -1n],
  ['1970-01-01 00:00:00+00', -946_684_800_000_000n],
  ['infinity', 9_223_372_036_854_775_807n],
  ['-infinity', -9_223_372_036_854_775_808n],
  // The first and the last moment that Postgres knows.
  ['4714-11-24 00:00:00+00 BC', -211_813_488_000_000_000n],
  ['294276-12-31 23:59:59.999999+00', 9_223_371_331_199_999_999n],
  // The last moment before our era: 730,119 days before 2000-01-01.
  ['0001-12-31 23:59:59.999999+00 BC', -(730_119n * 86_400_000_000n) - 1n],
];

function randomTime(): [string, bigint] {
  if (randomInt(3) === 0) return TIMES[randomInt(TIMES.length)]!;
  const ms = randomInt(-200_000_000_000_000, 80_000_000_000_000);
  const micros = randomInt(1000);
  const [day, clock] = new Date(ms).toISOString().replace('Z', '').split('T') as [string, string];
  // ISO knows a year 0 and signs; Postgres knows years before Christ.
  const [, sign, year, rest] = /^([+-]?)(\d+)(-.*)$/.exec(day) as unknown as [string, string, string, string];
  const isBc = sign === '-' || Number(year) === 0;
  const name = isBc ? String(Number(year) + 1).padStart(4, '0') : String(Number(year)).padStart(4, '0');
  return [
    `${name}${rest} ${clock}${String(micros).padStart(3, '0')}+00${isBc ? ' BC' : ''}`,
    (BigInt(ms) - 946_684_800_000n) * 1000n + BigInt(micros),
  ];
}

interface Case {
  event: AuditEvent;
  at: string;
}

function randomCase(): Case {
  const [at, atMicros] = randomTime();
  return {
    at,
    event: {
      jobId: randomUUID(),
      seq: randomInt(2 ** 31 - 1),
      fromState: text(),
      event: text(),
      toState: text(),
      atMicros,
      actor: text(),
      reason: text(),
      code: randomInt(2) === 0 ? null : text(),
      attempt: randomInt(2) === 0 ? null : randomInt(2 ** 31 - 1),
      detail: randomInt(2) === 0 ? text() : JSON.stringify({ [text()]: [text(), null, 1e-7] }),
      prev: randomInt(3) === 0 ? null : randomBytes([0, 31, 32][randomInt(3)]!),
    },
  };
}

async function hashesInSql(cases: Case[], settings: string): Promise<string[]> {
  const client = await db.connect();
  try {
    await client.query(settings);
    const of = <T>(pick: (one: Case) => T) => cases.map(pick);
    const { rows } = await client.query<{ hash: string }>(
      `select encode(docket_audit.event_hash(n.job_id, n.seq, n.from_state, n.event, n.to_state, n.at::timestamptz, n.actor,
         n.reason, n.code, n.attempt, n.detail, n.prev), 'hex') as hash
       from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::int[], $11::text[], $12::bytea[]) with ordinality
         as n (job_id, seq, from_state, event, to_state, at, actor, reason, code, attempt, detail, prev, place)
       order by n.place`,
      [
        of(({ event }) => event.jobId),
        of(({ event }) => event.seq),
        of(({ event }) => event.fromState),
        of(({ event }) => event.event),
        of(({ event }) => event.toState),
        of(({ at }) => at),
        of(({ event }) => event.actor),
        of(({ event }) => event.reason),
        of(({ event }) => event.code),
        of(({ event }) => event.attempt),
        of(({ event }) => event.detail),
        of(({ event }) => event.prev),
      ],
    );
    return rows.map((row) => row.hash);
  } finally {
    client.release(true);
  }
}

for (const [name, settings] of [
  ['usual settings', 'select'],
  [
    'settings of time, numbers and bytes as foreign as they come',
    `set timezone = 'Asia/Kathmandu'; set datestyle = 'SQL, DMY'; set bytea_output = 'escape'; set intervalstyle = 'iso_8601';
     set extra_float_digits = -15; set lc_monetary = 'C'; set search_path = ''`,
  ],
] as const) {
  test(`5,000 random events hash alike in SQL and outside it, under ${name}`, async () => {
    const cases = Array.from({ length: 5_000 }, randomCase);
    const inSql = await hashesInSql(cases, settings);
    const outside = cases.map(({ event }) => eventHash(event).toString('hex'));
    assert.equal(inSql.length, cases.length);
    for (const [index, hash] of outside.entries()) {
      assert.equal(
        inSql[index],
        hash,
        JSON.stringify({ ...cases[index], event: { ...cases[index]!.event, atMicros: '' } }),
      );
    }
  });
}

test('fields that run into each other do not hash alike', async () => {
  const base = randomCase();
  const shifted = { ...base, event: { ...base.event, actor: 'ab', reason: 'c' } };
  const other = { ...base, event: { ...base.event, actor: 'a', reason: 'bc' } };
  const nothing = { ...base, event: { ...base.event, code: null } };
  const empty = { ...base, event: { ...base.event, code: '' } };
  const hashes = await hashesInSql([shifted, other, nothing, empty], 'select');
  assert.equal(new Set(hashes).size, 4);
});

test('500 random results hash alike in SQL and outside it', async () => {
  const results = Array.from({ length: 500 }, () => ({
    salt: randomBytes(32),
    sha256: randomBytes(32),
    configSha256: randomBytes(32),
    pagesDeclared: randomInt(2 ** 31 - 1),
    pagesDecoded: randomInt(2 ** 31 - 1),
    warnings: Array.from({ length: randomInt(3) }, text),
    pages: Array.from({ length: randomInt(8) }, (_, index) => ({
      pageNo: index + 1,
      widthPx: randomInt(2 ** 31 - 1),
      heightPx: randomInt(2 ** 31 - 1),
      dpi: Math.random() * 600,
      rotationDegrees: 90 * randomInt(4),
      angleDegrees: Math.random() * 10 - 5,
      confidence: Math.random() * 100,
      verdict: ['text', 'blank', 'no_text'][randomInt(3)]!,
      text: text(),
      // Spaces, order and numbers as no printer of JSON would write them: the text counts as it stands.
      words: `[ ["${'x'.repeat(randomInt(20))}😀", 1.50, 1e2] ,[] ]`,
    })),
  }));
  const pages = results.flatMap((one, place) => one.pages.map((page) => ({ ...page, place })));
  const { rows } = await db.query<{ hash: string }>(
    `select encode(docket.result_hash(r.salt, r.sha256, r.config, r.declared, r.decoded,
         array(select json_array_elements_text(r.warnings::json)), p.n, p.bytes), 'hex') as hash
     from unnest($1::bytea[], $2::bytea[], $3::bytea[], $11::int[], $12::int[], $13::text[]) with ordinality
       as r (salt, sha256, config, declared, decoded, warnings, place)
     cross join lateral (
       select count(*)::int as n, coalesce(string_agg(
         docket.page_bytes(page_no, width, height, dpi, rotation, angle, confidence, verdict, text, words::json), ''::bytea order by page_no), ''::bytea) as bytes
       from unnest($4::int[], $5::int[], $6::int[], $7::int[], $8::text[], $9::text[], $10::text[], $14::real[], $15::int[],
           $16::real[], $17::real[])
         as n (place, page_no, width, height, verdict, text, words, dpi, rotation, angle, confidence)
       where n.place = r.place - 1
     ) as p
     order by r.place`,
    [
      results.map((one) => one.salt),
      results.map((one) => one.sha256),
      results.map((one) => one.configSha256),
      pages.map((one) => one.place),
      pages.map((one) => one.pageNo),
      pages.map((one) => one.widthPx),
      pages.map((one) => one.heightPx),
      pages.map((one) => one.verdict),
      pages.map((one) => one.text),
      pages.map((one) => one.words),
      results.map((one) => one.pagesDeclared),
      results.map((one) => one.pagesDecoded),
      results.map((one) => JSON.stringify(one.warnings)),
      pages.map((one) => one.dpi),
      pages.map((one) => one.rotationDegrees),
      pages.map((one) => one.angleDegrees),
      pages.map((one) => one.confidence),
    ],
  );
  assert.deepEqual(
    rows.map((row) => row.hash),
    results.map((one) => resultHash(one).toString('hex')),
  );
});

test('what the commands record can be recomputed from the rows alone, without the functions of the database', async () => {
  await stage.published();
  await stage.quarantined();
  const events = await db.query<Record<string, never>>(
    `select job_id, seq, from_state, event, to_state, (extract(epoch from at) - 946684800) * 1000000 as micros, actor, reason,
       code, attempt, detail, prev, hash
     from docket_audit.events order by job_id, seq`,
  );
  assert.ok(events.rows.length > 8);
  for (const row of events.rows) {
    const hash = eventHash({
      jobId: row['job_id']!,
      seq: row['seq']!,
      fromState: row['from_state']!,
      event: row['event']!,
      toState: row['to_state']!,
      atMicros: BigInt(Math.round(Number(row['micros']))),
      actor: row['actor']!,
      reason: row['reason']!,
      code: row['code']!,
      attempt: row['attempt']!,
      detail: row['detail']!,
      prev: row['prev']!,
    });
    assert.deepEqual(row['hash'], hash);
  }
  const config = createHash('sha256').update('{"psm": 3}').digest();
  const results = await db.query<Record<string, never>>(
    `select r.result_sha256, r.pages_declared, r.pages_decoded, r.warnings, s.salt, e.sha256, p.dpi, p.rotation_degrees,
       p.angle_degrees, p.confidence, p.page_no, p.width_px, p.height_px, p.verdict, p.text, p.words::text as words
     from docket.results r join docket.job_salts s using (job_id) join docket.evidence e using (job_id)
     join docket.pages p using (job_id, result_sha256)`,
  );
  assert.ok(results.rows.length > 0);
  for (const row of results.rows) {
    const page = {
      pageNo: row['page_no']!,
      widthPx: row['width_px']!,
      heightPx: row['height_px']!,
      dpi: row['dpi']!,
      rotationDegrees: row['rotation_degrees']!,
      angleDegrees: row['angle_degrees']!,
      confidence: row['confidence']!,
      verdict: row['verdict']!,
      text: row['text']!,
      words: row['words']!,
    };
    const parts = {
      salt: row['salt']!,
      sha256: row['sha256']!,
      configSha256: config,
      pagesDeclared: row['pages_declared']!,
      pagesDecoded: row['pages_decoded']!,
      warnings: row['warnings']!,
      pages: [page],
    };
    assert.deepEqual(row['result_sha256'], resultHash(parts));
  }
});
