import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import { contentOf } from '../evidence/content-of.ts';
import { trustOf } from '../evidence/trust-of.ts';
import { createTestDatabase } from '../support/database.ts';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url);
const TEXT = await readFile(new URL('docs/signatures.md', ROOT), 'utf8');
const SCAN = Buffer.from('the bytes of a scan');

const database = await createTestDatabase();
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docket-signing-'));
  await writeFile(join(folder, 'scan.png'), SCAN);
});
after(() => rm(folder, { recursive: true, force: true }));

/** The example that follows a sentence of the page. */
function example(after: string): string {
  const [, block] = /```\w+\n(.*?)```/s.exec(TEXT.slice(TEXT.indexOf(after))) ?? [];
  assert.ok(block, `there is an example after "${after}"`);
  return block;
}

async function statusOf(file: string, anchor: Parameters<typeof trustOf>[0][number]): Promise<unknown> {
  const envelope = await readFile(join(folder, file));
  // A certificate that was made a moment ago is judged for now.
  const trust = trustOf([anchor], { judgedAt: new Date() });
  const reports = await checkEnvelope(envelope, contentOf(SCAN), trust, new AbortController().signal);
  return reports.map(({ format, status, coverage }) => ({ format, status, coverage }));
}

test('what the page has OpenSSL sign is a valid signature over the whole document', async () => {
  const openssl = (line: string) => run('sh', ['-c', `openssl ${line}`], { cwd: folder });
  await openssl(
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout signer-key.pem -out signer.pem -days 2 ' +
      '-subj "/CN=Depot Nord" -addext keyUsage=critical,digitalSignature',
  );
  const [signing = ''] = example('With OpenSSL').split('\n');
  assert.match(signing, /^openssl cms -sign /);
  await run('sh', ['-c', signing], { cwd: folder });
  assert.deepEqual(await statusOf('scan.png.p7s', await readFile(join(folder, 'signer.pem'), 'utf8')), [
    { format: 'cms', status: 'valid', coverage: 'whole_document' },
  ]);
});

test('what the page has jose sign is a valid signature over the whole document', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const program = `
    import { readFile, writeFile } from 'node:fs/promises';
    import { FlattenedSign, importPKCS8 } from 'jose';
    process.chdir(${JSON.stringify(folder)});
    const privateKey = await importPKCS8(await readFile('key.pem', 'utf8'), 'ES256');
    ${example('With [jose]')}`;
  await run(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT });
  assert.deepEqual(await statusOf('scan.png.jws', publicKey), [
    { format: 'jws', status: 'valid', coverage: 'whole_document' },
  ]);
});

/** The rows of the table below a heading, without code marks. */
function rowsBelow(heading: string): string[][] {
  const section = TEXT.slice(TEXT.indexOf(`\n## ${heading}\n`)).split(/\n## /, 2)[1] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.replaceAll('`', '').trim()))
    .map((cells) => cells.slice(1, -1));
}

test('the page has every status in order, with the code by which it is refused', async () => {
  const { rows } = await database
    .pool()
    .query<{ status: string; code: string | null }>(
      'select status, failure_code as code from docket.signature_statuses order by rank',
    );
  assert.deepEqual(
    rowsBelow('Status').map(([status, , code]) => [status, code]),
    rows.map(({ status, code }) => [status, code ?? '–']),
  );
});

test('the page has every coverage and every requirement that the database knows', async () => {
  const { rows } = await database.pool().query<{ name: string; rule: string }>(
    `select conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
     where conname in ('signatures__coverage_is_known', 'envelope_policies__requirement_is_known')`,
  );
  const known = (name: string) =>
    [...(rows.find((row) => row.name === name)?.rule ?? '').matchAll(/'(\w+)'/g)]
      .map(([, word]) => word)
      .sort();
  const words = (heading: string) =>
    rowsBelow(heading)
      .map(([cell = '']) => cell.split(' ')[0])
      .sort();
  assert.deepEqual(words('Coverage'), known('signatures__coverage_is_known'));
  assert.deepEqual(words('Policies'), known('envelope_policies__requirement_is_known'));
});
