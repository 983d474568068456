import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Stage } from '../sql/stage.ts';
import { triedVersion } from '../sql/tried-version.ts';
import { createTestDatabase } from '../support/database.ts';
import { CliHome } from './run-docket.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const home = await CliHome.make({ DOCKET_DATABASE_URL: database.url() });
after(() => home.remove());
const because = ['--reason', 'faint carbon copies'];

interface Version {
  version: number;
  role: string;
  parameters: Record<string, unknown>;
  pins: Record<string, string>;
  gates: Record<string, unknown>;
}
interface Failure {
  error: { code: string; message: string; hint: string | null };
}

const add = (...said: string[]) => home.json<Version>(['ocr', 'add', ...said, ...because]);
const refusal = async (code: number, ...words: string[]) => (await home.json<Failure>(words, code)).error;

test('what Docket comes with is the one configuration there is, and there is nothing to roll back to', async () => {
  const { stdout } = await home.docket(['ocr', 'list']);
  assert.match(stdout, /^number +is +reads .*\n +1 +active +100% .*What Docket comes with\.$/m);
  assert.match(stdout, /nothing to roll back to\.\nNone begins by itself\.$/m);
});

test('a configuration is added as it is said, pinned to the engine of this host, and shown as it was added', async () => {
  const added = await add(
    '--set',
    'preparation.targetDpi=300',
    '--gate',
    'delivery_receipt.min_confidence=50.5',
  );
  assert.deepEqual(added.parameters, { preparation: { targetDpi: 300 } });
  assert.deepEqual(added.gates, { delivery_receipt: { min_confidence: 50.5 } });
  const core = JSON.parse(
    await readFile(join(import.meta.dirname, '../../node_modules/tesseract.js-core/package.json'), 'utf8'),
  ) as { version: string };
  assert.match(added.pins['core']!, new RegExp(core.version.replaceAll('.', '\\.')));
  assert.match(added.pins['modelSha256']!, /^[0-9a-f]{64}$/);
  const { stdout } = await home.docket(['ocr', 'show', String(added.version)]);
  assert.match(stdout, new RegExp(`^OCR configuration ${added.version} is candidate\\.$`, 'm'));
  assert.match(stdout, /^parameters: +preparation\.targetDpi=300$/m);
  assert.match(stdout, /^gates: +delivery_receipt\.min_confidence=50\.5$/m);
  assert.match(stdout, new RegExp(`^Next: docket ocr trial ${added.version} --count 20`, 'm'));
});

test('another model is pinned by its own hash, and text stays text where a parameter is text', async () => {
  const own = await add();
  const added = await add('--set', 'model=4.0.0', 'tesseract.tessedit_pageseg_mode=6');
  assert.deepEqual(added.parameters, { model: '4.0.0', tesseract: { tessedit_pageseg_mode: '6' } });
  assert.deepEqual([added.pins['model'], own.pins['model']], ['eng 4.0.0', 'eng 4.0.0_best_int']);
  assert.notEqual(added.pins['modelSha256'], own.pins['modelSha256']);
  const free = await add('--no-pins');
  assert.deepEqual(free.pins, {});
});

test('what was shown as JSON can be added from a file, and what is said beside it goes first', async () => {
  const added = await add('--set', 'preparation.targetDpi=250', 'preparation.longestSide=4000');
  const shown = await home.docket(['ocr', 'show', String(added.version), '--json']);
  const file = join(home.folder, 'configuration.json');
  await writeFile(file, shown.stdout);
  const again = await add('--file', file, '--set', 'preparation.targetDpi=260');
  assert.deepEqual(again.parameters, { preparation: { targetDpi: 260, longestSide: 4000 } });
  assert.deepEqual(again.pins, added.pins);
});

test('what is no parameter, out of bounds or no assignment is named before anything is added', async () => {
  const count = async () => (await home.json<{ versions: unknown[] }>(['ocr', 'list'])).versions.length;
  const before = await count();
  for (const [said, pattern] of [
    [['--set', 'preparation.targetDpi=1000000'], /targetDpi/],
    [['--set', 'preparation.speed=1'], /speed/],
    [['--set', 'targetDpi'], /--set: expected something such as preparation\.targetDpi=300, not "targetDpi"/],
    [['--gate', 'unknown.min_confidence=high'], /--gate: expected something such as/],
    [['--gate', 'unknown.max_pages=3'], /max_pages/],
    [['--engine', 'abbyy'], /--engine: this host has no engine abbyy/],
  ] as const) {
    const error = await refusal(2, 'ocr', 'add', ...said, ...because);
    assert.equal(error.code, 'USAGE');
    assert.match(error.message, pattern);
  }
  const kind = await refusal(6, 'ocr', 'add', '--gate', 'postcard.min_confidence=5', '--no-pins', ...because);
  assert.deepEqual([kind.code, kind.message], ['ZD081', 'gates: there is no kind of document "postcard"']);
  assert.equal(await count(), before);
});

test('a configuration is activated once it was tried, for a share and then for all, and each change is undone', async () => {
  const { version } = await add('--no-pins', '--set', 'preparation.targetDpi=220');
  const number = String(version);
  const untried = await refusal(6, 'ocr', 'activate', number, ...because);
  assert.equal(untried.code, 'ZD083');
  await triedVersion(stage, version);
  const canary = await home.docket(['ocr', 'activate', number, '--share', '10%', ...because]);
  assert.match(
    canary.stdout,
    new RegExp(
      `^Canary of the OCR configuration: ${number} for 10% of the documents\\. Before: none\\.$`,
      'm',
    ),
  );
  const { stdout: beside } = await home.docket(['ocr', 'list']);
  assert.match(beside, /^A rollback ends the canary, and 1 reads all: docket rollback --reason '\.\.\.'$/m);
  const active = await home.docket(['ocr', 'activate', number, ...because]);
  assert.match(active.stdout, new RegExp(`^Active OCR configuration: ${number}\\. Before: 1\\.$`, 'm'));
  const [, change] = /docket undo (\d+)/.exec(active.stdout)!;
  const { stdout } = await home.docket(['ocr', 'list']);
  assert.match(stdout, /^A rollback goes to 1: docket rollback --reason '\.\.\.'$/m);
  const undone = await home.docket(['undo', change!, ...because]);
  assert.match(undone.stdout, new RegExp(`^Active OCR configuration: 1\\. Before: ${number}\\.$`, 'm'));
  const list = await home.json<{ active: number; known_good: number; canary: unknown }>(['ocr', 'list']);
  assert.deepEqual([list.active, list.known_good, list.canary], [1, 1, null]);
  await home.json(['ocr', 'activate', number, '--share', '0.25', ...because]);
  const cleared = await home.docket(['ocr', 'canary', 'clear', ...because]);
  assert.match(cleared.stdout, /: none\. Before: \d+ for 25% of the documents\.$/m);
  assert.equal((await refusal(5, 'ocr', 'show', '999')).code, 'OCR_VERSION_NOT_FOUND');
  assert.equal((await refusal(5, 'ocr', 'activate', '999', ...because)).code, 'ZD082');
});

test('a rollback may begin by itself where that is said, and the changes of all this are listed in words', async () => {
  const allowed = await home.docket(['ocr', 'automatic', '--within', '1 hour', ...because]);
  assert.match(allowed.stdout, /: within 01:00:00 after an activation\. Before: none\.$/m);
  const { stdout } = await home.docket(['ocr', 'list']);
  assert.match(stdout, /^One begins by itself where a rollback threshold is crossed within 01:00:00 after/m);
  await home.json(['ocr', 'automatic', '--never', ...because]);
  assert.equal((await refusal(2, 'ocr', 'automatic', ...because)).code, 'USAGE');
  await home.docket(['source', 'disable', 'carrier-a']);
  const changes = await home.docket(['changes']);
  assert.match(changes.stdout, /^ *\d+ +Source carrier-a +enabled +disabled /m);
  assert.match(
    changes.stdout,
    /Automatic rollback of the OCR configuration +within 01:00:00 after an activation +none/,
  );
});
