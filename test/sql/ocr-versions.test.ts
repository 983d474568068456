import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';
import { endedTrial, triedVersion } from './tried-version.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');
const auditor = await createLogin(database, 'docket_auditor');
const reason = 'to read faint print';

interface Given {
  engine?: string | null;
  parameters?: unknown;
  pins?: unknown;
  gates?: unknown;
}

/** Adds a configuration of these parts, as JSON text where they are text already. */
async function add(given: Given = {}, why = reason): Promise<number> {
  const text = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part ?? {}));
  const [added] = await commands.addOcrVersion(olga.pool, {
    engine: given.engine ?? null,
    parameters: text(given.parameters),
    pins: text(given.pins),
    gates: text(given.gates),
    reason: why,
  });
  return added!.ocr_version;
}

const stateOf = async (version: number) =>
  (
    await olga.pool.query<Record<string, unknown>>(
      'select * from docket.ocr_version_states where ocr_version = $1',
      [version],
    )
  ).rows[0]!;

/** A 32-bit big-endian number. */
function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
const field = (text: string | null) =>
  text === null ? int(-1) : Buffer.concat([int(Buffer.byteLength(text)), Buffer.from(text)]);

test('the first configuration is what Docket comes with, and is the active one and the last known good one', async () => {
  const { role, share, engine, parameters, pins, gates, added_by } = await stateOf(1);
  assert.deepEqual(
    { role, share, engine, parameters, pins, gates, added_by },
    { role: 'active', share: 1, engine: null, parameters: {}, pins: {}, gates: {}, added_by: 'docket' },
  );
});

test('an added configuration is a row and an event that states its hash, and a candidate until it is tried', async () => {
  const version = await add({
    engine: 'tesseract.js',
    parameters: { preparation: { targetDpi: 300 }, model: '4.0.0' },
    pins: { modelSha256: 'ab'.repeat(32) },
    gates: { bill_of_lading: { min_confidence: 55.5, min_characters: 0 } },
  });
  const { rows } = await stage.db.query<Record<'engine' | 'parameters' | 'pins' | 'gates', string>>(
    `select engine, parameters::text, pins::text, gates::text from docket.ocr_versions where ocr_version = $1`,
    [version],
  );
  const row = rows[0]!;
  assert.deepEqual(JSON.parse(row.gates), { bill_of_lading: { min_confidence: 55.5, min_characters: 0 } });
  const hash = createHash('sha256')
    .update('docket.ocr-version.1\n')
    .update(int(version))
    .update(field(row.engine))
    .update(field(row.parameters))
    .update(field(row.pins))
    .update(field(row.gates))
    .digest('hex');
  const { rows: events } = await stage.db.query(
    `select event, actor, reason, detail::json as detail from docket_audit.events
     where job_id = '00000000-0000-0000-0000-000000000000' order by seq desc limit 1`,
  );
  assert.deepEqual(events, [
    {
      event: 'ocr_version_added',
      actor: olga.name,
      reason,
      detail: { ocr_version: version, engine: 'tesseract.js', ocr_version_sha256: hash },
    },
  ]);
  const { role, share, trials, compared } = await stateOf(version);
  assert.deepEqual(
    { role, share, trials, compared },
    { role: 'candidate', share: null, trials: 0, compared: 0 },
  );
  const [setup] = await commands.ocrSetup(stage.worker, { version });
  assert.deepEqual(setup, {
    ocr_version: version,
    engine: 'tesseract.js',
    parameters: { preparation: { targetDpi: 300 }, model: '4.0.0' },
    pins: { modelSha256: 'ab'.repeat(32) },
  });
});

test('a name that stands twice in the JSON is kept once, as its last value is what is read', async () => {
  const version = await add({ parameters: '{"preparation": {"targetDpi": 70, "targetDpi": 200}}' });
  const { rows } = await stage.db.query<{ text: string }>(
    'select parameters::text as text from docket.ocr_versions where ocr_version = $1',
    [version],
  );
  assert.equal(rows[0]!.text, '{"preparation": {"targetDpi": 200}}');
});

const REFUSED: [given: Given, message: RegExp][] = [
  [{ engine: 'Tesseract 5' }, /^engine: "Tesseract 5" is not a name such as/],
  [{ parameters: [] }, /^parameters: it is a JSON array, not an object/],
  [{ parameters: 'null' }, /^parameters: it is a JSON null, not an object/],
  [{ parameters: { preparation: 200 } }, /^parameters: "preparation" is a JSON number, not a group/],
  [{ parameters: `{"a": {"b": "\\u0000"}}` }, /./],
  [{ parameters: { preparation: { note: 'x'.repeat(17_000) } } }, /at most 16384 bytes/],
  [{ pins: '"text"' }, /^pins: it is a JSON string/],
  [{ pins: { tesseract: 5 } }, /^pins: "tesseract" is not a text/],
  [{ pins: { tesseract: '' } }, /^pins: "tesseract" is not a text/],
  [{ gates: [] }, /^gates: it is a JSON array/],
  [{ gates: { postcard: { min_confidence: 50 } } }, /^gates: there is no kind of document "postcard"/],
  [{ gates: { unknown: 50 } }, /^gates: that of unknown is not an object/],
  [{ gates: { unknown: {} } }, /^gates: that of unknown is not an object/],
  [{ gates: { unknown: { max_pages: 3 } } }, /^gates: "max_pages" of unknown is not a gate/],
  [
    { gates: { unknown: { min_confidence: 100.1 } } },
    /^gates: min_confidence of unknown is 100\.1, not a number from 0 to 100/,
  ],
  [{ gates: { unknown: { min_confidence: '50' } } }, /^gates: min_confidence of unknown is "50"/],
  [{ gates: { unknown: { min_confidence: null } } }, /^gates: min_confidence of unknown is null/],
  [
    { gates: { unknown: { min_characters: 1.5 } } },
    /^gates: min_characters of unknown is 1\.5, not a whole number/,
  ],
  [{ gates: { unknown: { min_characters: -1 } } }, /^gates: min_characters of unknown is -1/],
  [
    { gates: { unknown: { min_characters: 3_000_000_000 } } },
    /^gates: min_characters of unknown is 3000000000/,
  ],
  [{ gates: `{"unknown": {"min_confidence": 1e400}}` }, /^gates: min_confidence of unknown/],
];

test('what is not of the documented shape is refused by name and value, and nothing of it is kept', async () => {
  const count = async () =>
    (await stage.db.query<{ n: number }>('select count(*)::integer as n from docket.ocr_versions')).rows[0]!
      .n;
  const before = await count();
  for (const [given, message] of REFUSED) {
    const error = await refused('ZD081', add(given));
    assert.match(error.message, message);
    assert.ok(error.message.length < 400, error.message);
    assert.ok(error.hint);
  }
  await refused('ZD021', add({}, ' '));
  assert.equal(await count(), before);
});

test('operators alone add, activate and withdraw nothing from what was added', async () => {
  const version = await add();
  await triedVersion(stage, version);
  for (const who of [stage.worker, auditor.pool, stage.sender.pool]) {
    await refused('42501', commands.activateOcrVersion(who, { version, reason }));
    await refused('42501', commands.clearOcrCanary(who, { reason }));
    await refused('42501', commands.allowAutomaticRollback(who, { within: '1 hour', reason }));
    const args = { engine: null, parameters: '{}', pins: '{}', gates: '{}', reason };
    await refused('42501', commands.addOcrVersion(who, args));
  }
  for (const table of ['docket.ocr_versions', 'docket.ocr_withdrawals'])
    await refused('ZD001', stage.db.query(`truncate ${table} cascade`));
  await refused('ZD001', stage.db.query('delete from docket.ocr_versions'));
});

test('a configuration is tried once a trial of it has ended in which a document was compared', async () => {
  const version = await add();
  const activate = () => commands.activateOcrVersion(olga.pool, { version, reason, share: 0.5 });
  const error = await refused('ZD083', activate());
  assert.match(error.message, new RegExp(`^version: OCR configuration ${version} was not tried`));
  assert.equal(error.hint, `Try it: docket ocr trial ${version} --count 20 --reason '...'`);
  await endedTrial(stage.db, version);
  await refused('ZD083', activate());
  const trial = await endedTrial(stage.db, version, await stage.published(), stage.config);
  await stage.db.query('update docket.ocr_trials set ended_at = null where trial_id = $1', [trial]);
  await refused('ZD083', activate());
  await stage.db.query('update docket.ocr_trials set ended_at = clock_timestamp() where trial_id = $1', [
    trial,
  ]);
  const { role, trials, compared } = await stateOf(version);
  assert.deepEqual({ role, trials, compared }, { role: 'tried', trials: 2, compared: 1 });
  const [change] = await activate();
  assert.equal(change!.previous, null);
  assert.equal((await stateOf(version))['role'], 'canary');
  await commands.clearOcrCanary(olga.pool, { reason });
  assert.equal((await stateOf(version))['role'], 'tried');
});

test('what there is not is refused as that, to operators and to workers', async () => {
  const error = await refused('ZD082', commands.activateOcrVersion(olga.pool, { version: 999, reason }));
  assert.equal(error.message, 'version: there is no OCR configuration 999');
  await refused('ZD082', commands.ocrSetup(stage.worker, { version: 999 }));
});

test('the log knows every configuration, and that none was put beside it', async () => {
  const { rows } = await auditor.pool.query<Record<string, string>>(
    `select checked_count, failed_count from docket.verify_log() where checked = 'OCR configurations'`,
  );
  const { rows: all } = await stage.db.query<{ n: string }>('select count(*) as n from docket.ocr_versions');
  assert.deepEqual(rows, [{ checked_count: all[0]!.n, failed_count: '0' }]);
});
