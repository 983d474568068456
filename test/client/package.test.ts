import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { installPackage, run } from '../support/packed-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const app = installPackage();

test('an app can import the packed package, and nothing of it but what is offered', () => {
  const program = `
    import * as docket from 'docket';
    const reached = await import('docket/dist/client/submit.js').then(() => true, (error) => error.code);
    console.log(JSON.stringify({ offered: Object.keys(docket).sort(), reached }));`;
  writeFileSync(join(app, 'imports.js'), program);
  assert.deepEqual(JSON.parse(run(process.execPath, ['imports.js'], app)), {
    offered: ['DocketError', 'createSender'],
    reached: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
  });
});

test('the example compiles against its types, strictly, and a misspelt statement does not', () => {
  const example = readFileSync(join(ROOT, 'examples/typescript/deliver.ts'), 'utf8');
  const misspelt = `
    // @ts-expect-error -- capturedAt is missing
    await sender.submit(client, { sourceId, scan, mediaType, capturedOn: new Date() });`;
  writeFileSync(join(app, 'deliver.ts'), example + misspelt);
  const options =
    '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --module nodenext --target es2024 --types node';
  run('tsc', [...options.split(' '), 'deliver.ts'], app);
});
