// Everything that can be said about the sources without running them: npm run check
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** Each check with the command that repeats it alone. */
const checks: Record<string, string[]> = {
  types: ['tsc', '--noEmit'],
  'types of the page': ['tsc', '--noEmit', '--project', 'src/verify/page'],
  lint: ['eslint', '--max-warnings=0', '--cache', '--cache-location', '.cache/eslint', '.'],
  format: ['prettier', '--check', '--log-level=warn', '--cache', '--cache-location', '.cache/prettier', '.'],
  layers: ['depcruise', '--output-type=err', 'src', 'test', 'bench', 'scripts', 'corpus'],
  generated: ['node', 'scripts/gen.ts', '--check'],
};

const failed: string[] = [];
for (const [name, [command = '', ...args]] of Object.entries(checks)) {
  const begun = performance.now();
  // npm puts node_modules/.bin first in PATH, so these are the project's own tools on its own Node.
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (error) console.log(error.message);
  if (status !== 0) failed.push(`${name}: npx ${[command, ...args].join(' ')}`);
}
if (failed.length > 0) {
  console.log(`\nTo repeat what failed:\n  ${failed.join('\n  ')}`);
  process.exitCode = 1;
}
