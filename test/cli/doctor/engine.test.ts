import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { inNamespace, skipWithoutNamespaces } from './in-a-namespace.ts';

const model = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));

test('an engine that starts has no finding', { skip: skipWithoutNamespaces }, () => {
  assert.deepEqual(inNamespace('', 'say-engine.ts'), []);
});

test(
  'an engine without its model cannot be started, and that is a problem',
  { skip: skipWithoutNamespaces },
  () => {
    const [finding, ...others] = inNamespace(`mount -t tmpfs tmpfs '${model}'`, 'say-engine.ts') as Finding[];
    assert.deepEqual(others, []);
    assert.equal(finding!.severity, 'problem');
    assert.match(finding!.what, /^the process that recognises cannot be started here: OCR_UNAVAILABLE, /);
  },
);
