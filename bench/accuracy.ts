/**
 * How accurately the engine reads twelve degraded logistics pages (skewed, faded, turned, unevenly lit, 150 to 300 dpi).
 * Orientation is not given. The last line is the result as JSON; --quick reads every second page.
 */
import { readFile, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createTesseractEngine } from '../src/ocr/tesseract-engine.ts';
import { score } from './support/scoring.ts';
import type { Score } from './support/scoring.ts';

const corpus = process.env['DOCKET_CORPUS'] ?? '../shared/corpus';
const folder = join(corpus, 'bench-pages');
const quick = process.argv.includes('--quick');
const PAGE_DEADLINE_MS = 120_000;

const files = (await readdir(folder)).filter((file) => /^p\d\d_.*\.(png|jpg|tif)$/.test(file)).sort();
const chosen = files.filter((_, i) => !quick || i % 2 === 1);
if (chosen.length === 0) throw new Error(`no pages in ${folder}: set DOCKET_CORPUS`);

const engine = createTesseractEngine({
  log: pino({ level: 'warn' }, pino.destination(2)),
  children: Math.min(2, availableParallelism()),
  memoryLimitMb: 1024,
  limits: { maxPages: 10, maxPixels: 100_000_000 },
});
const startedAt = performance.now();
const scores = new Map<string, Score>();
try {
  await Promise.all(
    chosen.map(async (file) => {
      const options = { signal: new AbortController().signal, deadline: PAGE_DEADLINE_MS * chosen.length };
      const recognition = await engine.recognise(join(folder, file), options);
      const text = recognition.pages.map((page) => page.text).join('\n');
      const truth = await readFile(join(folder, file.replace(/\.\w+$/, '.txt')), 'utf8');
      scores.set(file, score(truth, text));
    }),
  );
} finally {
  await engine.close();
}
const seconds = (performance.now() - startedAt) / 1000;

const rows = chosen.map((file) => [file, scores.get(file)] as const);
const pages: Record<string, { cer: number; digits: number }> = {};
let sum = 0;
let digitTokens = 0;
let digitTokensFound = 0;
for (const [file, found] of rows) {
  if (found === undefined) throw new Error(`${file} was not scored`);
  sum += found.cer;
  digitTokens += found.digitTokens;
  digitTokensFound += found.digitTokensFound;
  pages[file] = { cer: percent(found.cer), digits: percent(found.digitTokensFound / found.digitTokens) };
  console.log(
    `${file.padEnd(36)} CER ${percent(found.cer)} %  digits ${found.digitTokensFound}/${found.digitTokens}`,
  );
}
console.log(
  JSON.stringify({
    bench: 'accuracy',
    value: percent(sum / rows.length),
    unit: '% CER',
    digits: percent(digitTokensFound / digitTokens),
    pages,
    peer: {},
    cpu_s: await cpuSeconds(),
    pages_per_s: Number((rows.length / seconds).toFixed(2)),
    n: rows.length,
  }),
);

/** Of this process and of its children, which are all gone by now (the kernel adds up those that were waited for). */
async function cpuSeconds(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return Number((ticks / 100).toFixed(1));
}

function percent(share: number): number {
  return Number((share * 100).toFixed(2));
}
