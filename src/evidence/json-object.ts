import { utf8 } from '../domain/utf8.ts';

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"[ \t\r\n]*:?|[{}[\]]/g;

/** Whether an object in JSON text that was parsed before names a member twice: readers differ in which one they take. */
function namesTwice(text: string): boolean {
  const open: (Set<unknown> | null)[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const name: unknown = JSON.parse(token.slice(0, -1));
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}

/** The JSON object that the bytes are; null if they are none, or one that can be read in two ways. */
export function readJsonObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const text = utf8(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || namesTwice(text)) return null;
    return value as Record<string, unknown>;
  } catch {
    return null;
  }
}
