import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../../corpus/make.ts', import.meta.url));
const run = promisify(execFile);

test('making the cheap documents of each file format again gives the committed bytes', async () => {
  // PNG needs a large page, so its writer is the one format left to a full --check.
  await run(process.execPath, [script, '--check', '04', '11', '15', '16', '17']);
});

test('checking only a part of the corpus writes nothing', async () => {
  const manifest = fileURLToPath(new URL('../../corpus/manifest.json', import.meta.url));
  const before = statSync(manifest).mtimeMs;
  await run(process.execPath, [script, '--check', '15']);
  assert.equal(statSync(manifest).mtimeMs, before);
});
