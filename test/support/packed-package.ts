import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Makes an app beside nothing else of the project: what apps import of the package is built, packed as it is published, and
 * unpacked where npm would install it, with its dependencies. Returns the folder of the app; removed after the tests.
 */
export function installPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docket-app-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const source = join(folder, 'source');
  const app = join(folder, 'app');
  run('tsc', ['--project', 'tsconfig.client.json', '--outDir', join(source, 'dist')], ROOT);
  cpSync(join(ROOT, 'package.json'), join(source, 'package.json'));
  const [packed] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--silent', '--pack-destination', folder], source),
  ) as [{ filename: string }];
  const installed = join(app, 'node_modules/docket');
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed], folder);
  for (const dependency of ['zod', 'pg', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', dependency), join(app, 'node_modules', dependency));
  }
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', type: 'module', private: true }));
  return app;
}

/** Runs a program of the project's tools to its end and gives its standard output; fails with what it wrote. */
export function run(program: string, args: readonly string[], cwd: string): string {
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  return execFileSync(program, args, { cwd, env: { ...process.env, PATH: path }, encoding: 'utf8' });
}
