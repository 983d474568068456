// Runs one measurement: npm run bench -- NAME [--quick]. Each is a file of this folder and ends with one JSON line.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [name, ...options] = process.argv.slice(2);
const file = join(import.meta.dirname, 'measures', `${name}.ts`);
if (name === undefined || !existsSync(file)) {
  const names = readdirSync(join(import.meta.dirname, 'measures')).map((entry) => entry.replace(/\.ts$/, ''));
  console.error(`usage: npm run bench -- NAME [--quick]\nNAME is one of: ${names.join(', ')}`);
  process.exit(2);
}
process.exit(spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' }).status ?? 1);
