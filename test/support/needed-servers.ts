import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Whether a test file uses the database server of the run. */
export function needsDatabase(file: string): boolean {
  return uses(file, resolve(import.meta.dirname, 'test-cluster.ts'), new Set());
}

/** Whether a test file uses the S3 server of the run. */
export function needsObjectServer(file: string): boolean {
  return uses(file, resolve(import.meta.dirname, 'object-server.ts'), new Set());
}

/** Whether a file is that module, or imports it, itself or through what it imports. */
function uses(file: string, module: string, seen: Set<string>): boolean {
  const path = resolve(file);
  if (path === module) return true;
  if (seen.has(path) || !existsSync(path)) return false;
  seen.add(path);
  const imports = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map((found) => found[1] ?? '');
  return imports.some((name) => uses(resolve(dirname(path), name), module, seen));
}
