import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;
const ENTRY = resolve(import.meta.dirname, 'test-cluster.ts');

/** Whether a test file uses, itself or through what it imports, the database server of the run. */
export function needsDatabase(file: string, seen = new Set<string>()): boolean {
  const path = resolve(file);
  if (path === ENTRY) return true;
  if (seen.has(path) || !existsSync(path)) return false;
  seen.add(path);
  const imports = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map((found) => found[1] ?? '');
  return imports.some((name) => needsDatabase(resolve(dirname(path), name), seen));
}
