import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { SealedStage } from '../sql/sealed-stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';

const skip = spawnSync('psql', ['--version']).error ? 'psql is not installed' : false;

test(
  'a DBA verifies everything by psql, as an auditor, without any process of Docket',
  { skip },
  async () => {
    const database = await createTestDatabase();
    const sealed = await SealedStage.open(database);
    const auditor = await createLogin(database, 'docket_auditor');
    const ask = async (query: string): Promise<string[][]> => {
      const { stdout } = await promisify(execFile)('psql', [
        '--no-psqlrc',
        '--quiet',
        '--no-align',
        '--tuples-only',
        '--field-separator=|',
        '--command',
        query,
        database.url(auditor.name),
      ]);
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('|')]));
    };
    const log = await ask('select checked, failed_count from docket.verify_all()');
    assert.ok(log.length > 15);
    assert.deepEqual(new Set(log.map(([, failed]) => failed)), new Set(['0']));
    const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
    assert.deepEqual(
      await ask(
        `select checked, failed_count from docket.verify_checkpoint(${literal(sealed.newest.note)}, ${literal(sealed.key.text)})`,
      ),
      [
        ['checkpoint form', '0'],
        ['checkpoint signature', '0'],
        ['checkpoint root', '0'],
      ],
    );
    assert.deepEqual(
      await ask(
        `select failed_count from docket.verify_inclusion('${sealed.jobs[0]!}', 3, ${literal(sealed.newest.note)})`,
      ),
      [['0'], ['0'], ['0']],
    );
  },
);
