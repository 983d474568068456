import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { planScans } from '../../src/cli/planned-scans.ts';

const folder = await mkdtemp(join(tmpdir(), 'docket-plan-'));
after(() => rm(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
for (const name of ['a.png', 'a.png.p7s', 'a.png.tsr', 'b.pdf', 'b.pdf.dsse.json', 'c.tif'])
  await writeFile(at(name), name);

const NOTHING = { envelope: undefined, besides: false, firstNumber: undefined };

test('without being told, nothing is an envelope and nothing has a number', async () => {
  assert.deepEqual(await planScans(['x.p7s', 'x'], NOTHING), [
    { file: 'x.p7s', envelopes: [], scanNumber: undefined },
    { file: 'x', envelopes: [], scanNumber: undefined },
  ]);
});

test('envelopes beside scans go with them, whether they were named or not; numbers count scans only', async () => {
  const files = [at('a.png'), at('a.png.p7s'), at('b.pdf'), at('c.tif')];
  assert.deepEqual(await planScans(files, { envelope: undefined, besides: true, firstNumber: 41 }), [
    { file: at('a.png'), envelopes: [at('a.png.p7s'), at('a.png.tsr')], scanNumber: 41 },
    { file: at('b.pdf'), envelopes: [at('b.pdf.dsse.json')], scanNumber: 42 },
    { file: at('c.tif'), envelopes: [], scanNumber: 43 },
  ]);
});

test('an envelope whose scan is not there is neither lost nor taken for a scan', async () => {
  await assert.rejects(planScans([at('a.png.p7s'), at('b.pdf')], { ...NOTHING, besides: true }), {
    code: 'FILE_NOT_FOUND',
    message: /a\.png\.p7s is an envelope, and .*a\.png is not among the scans/,
  });
});

test('one envelope is for one scan, and not for those that have theirs beside them', async () => {
  const envelope = 'any.name';
  assert.deepEqual(await planScans(['x'], { ...NOTHING, envelope }), [
    { file: 'x', envelopes: [envelope], scanNumber: undefined },
  ]);
  await assert.rejects(planScans(['x', 'y'], { ...NOTHING, envelope }), { code: 'USAGE' });
  await assert.rejects(planScans(['x'], { ...NOTHING, envelope, besides: true }), { code: 'USAGE' });
});
