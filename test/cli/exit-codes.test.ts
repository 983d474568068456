import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT, exitCodeOf } from '../../src/cli/exit-codes.ts';

test('every code leads to the exit code that the manual gives for its kind', () => {
  const expected: Record<string, number> = {
    USAGE: 2,
    CONFIG_INVALID: 3,
    DATABASE_UNAVAILABLE: 4,
    DATABASE_ACCESS_DENIED: 4,
    DATABASE_NOT_MIGRATED: 4,
    CLUSTER_NOT_FOUND: 4,
    CLUSTER_START_FAILED: 4,
    SERVER_TOO_OLD: 4,
    MIGRATION_FAILED: 4,
    ZD050: 6,
    ZD020: 5,
    ZD023: 5,
    ZD024: 5,
    FILE_NOT_FOUND: 5,
    PAGE_NOT_FOUND: 5,
    NOT_PUBLISHED: 5,
    DATABASE_DENIED: 6,
    ZD002: 6,
    ZD010: 6,
    ZD021: 6,
    FILE_UNREADABLE: 6,
    STORE_DENIED: 6,
    KEY_MISSING: 6,
    OBJECT_DAMAGED: 6,
    LOADTEST_DENIED: 6,
    LOCATOR_TAKEN: 6,
    HASH_MISMATCH: 6,
    ZD033: 6,
    OBJECT_NOT_FOUND: 5,
    RECORD_BROKEN: 8,
    INTERRUPTED: 130,
    INTERNAL_ERROR: 1,
    SOMETHING_NEW: 1,
  };
  for (const [code, exitCode] of Object.entries(expected)) assert.equal(exitCodeOf(code), exitCode, code);
});

test('the manual lists every exit code', async () => {
  const manual = await readFile(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  for (const code of Object.values(EXIT)) assert.match(manual, new RegExp(`^\\| +${code} +\\|`, 'm'));
});
