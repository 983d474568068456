// Makes dist/, the JavaScript that is published: npm run build
// The SQL files are not copied: sql/ lies beside dist/ in the package as it lies beside src/ here.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = resolve(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
/** All of it, then once more what apps import, with its types. */
const PROJECTS = ['tsconfig.build.json', 'tsconfig.client.json'];
const isBuilt = PROJECTS.every(
  (project) => spawnSync('tsc', ['--project', project], { cwd: ROOT, stdio: 'inherit' }).status === 0,
);
if (isBuilt) {
  const program = resolve(DIST, 'cli/main.js');
  if (existsSync(program)) chmodSync(program, 0o755);
} else {
  process.exitCode = 1;
}
