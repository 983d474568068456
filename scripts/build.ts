// Makes dist/, the JavaScript that is published: npm run build
// The SQL files are not copied: sql/ lies beside dist/ in the package as it lies beside src/ here.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = resolve(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const { status } = spawnSync('tsc', ['--project', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
if (status === 0) {
  const program = resolve(DIST, 'cli/main.js');
  if (existsSync(program)) chmodSync(program, 0o755);
} else {
  process.exitCode = 1;
}
