import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pino } from 'pino';
import type { Logger } from 'pino';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createTesseractEngine } from '../../src/ocr/tesseract-engine.ts';

/** Long enough for a page on a machine that is busy with other tests; no test waits for it to pass. */
export const GENEROUS_MS = 170_000;
export const LIMITS = { maxPages: 2000, maxPixels: 100_000_000 };

/** A folder of the test file's own; removed when its tests are over. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-ocr-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function writeSample(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** An engine that is closed when the file's tests are over, and the entries it logged. */
export function openEngine(
  options: { children?: number; memoryLimitMb?: number; pageWithinMs?: number; idleMs?: number } = {},
): {
  engine: OcrEngine;
  log: Logger;
  entries: Record<string, unknown>[];
} {
  const entries: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void entries.push(JSON.parse(line) as never) },
  );
  const engine = createTesseractEngine({ log, children: 1, memoryLimitMb: 1024, limits: LIMITS, ...options });
  after(() => engine.close());
  return { engine, log, entries };
}

export function never(): AbortSignal {
  return new AbortController().signal;
}
