/**
 * How accurately the engine reads twelve degraded logistics pages (skewed, faded, turned, unevenly lit, 150 to 300 dpi).
 * Orientation is not given. Beside it, where they are installed, Debian's tesseract (pages as they are) and ocrmypdf (turned
 * and deskewed by it). The last line is the result as JSON; --quick reads every second page, and no others' readings.
 */
import { readFile, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { usageOf } from '../src/cli/loadtest/process-usage.ts';
import { createTesseractEngine } from '../src/ocr/tesseract-engine.ts';
import { nativeReaders } from './support/native-ocr.ts';
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
      scores.set(file, score(await truthOf(file), text));
    }),
  );
} finally {
  await engine.close();
}
const seconds = (performance.now() - startedAt) / 1000;

const cpu = await cpuSeconds();
const ours = summary(scores);
for (const [file, { cer, digitTokens, digitTokensFound }] of [...scores].sort()) {
  console.log(`${file.padEnd(36)} CER ${percent(cer)} %  digits ${digitTokensFound}/${digitTokens}`);
}
const peer: Record<string, object> = {};
for (const reader of quick ? [] : nativeReaders()) {
  const before = await cpuSeconds();
  const read = new Map<string, Score>();
  for (const file of chosen)
    read.set(file, score(await truthOf(file), await reader.read(join(folder, file))));
  const { cer, digits } = summary(read);
  peer[reader.name] = { cer, digits, cpu_s: Number(((await cpuSeconds()) - before).toFixed(1)) };
}
console.log(
  JSON.stringify({
    bench: 'accuracy',
    value: ours.cer,
    unit: '% CER',
    digits: ours.digits,
    pages: ours.pages,
    peer,
    cpu_s: cpu,
    pages_per_s: Number((chosen.length / seconds).toFixed(2)),
    n: chosen.length,
  }),
);

function truthOf(file: string): Promise<string> {
  return readFile(join(folder, file.replace(/\.\w+$/, '.txt')), 'utf8');
}

/** The mean over pages of the share of wrong characters, and the share of digit tokens found over all, in percent. */
function summary(of: ReadonlyMap<string, Score>) {
  const all = [...of.values()];
  const total = (pick: (one: Score) => number) => all.reduce((sum, one) => sum + pick(one), 0);
  const share = (one: Score) => percent(one.digitTokensFound / one.digitTokens);
  return {
    cer: percent(total((one) => one.cer) / all.length),
    digits: percent(total((one) => one.digitTokensFound) / total((one) => one.digitTokens)),
    pages: Object.fromEntries(
      [...of].sort().map(([file, one]) => [file, { cer: percent(one.cer), digits: share(one) }]),
    ),
  };
}

/** Of this process and of its children, which are all gone by now (the kernel adds up those that were waited for). */
async function cpuSeconds(): Promise<number> {
  return Number(((await usageOf(process.pid))?.cpuSeconds ?? 0).toFixed(1));
}

function percent(share: number): number {
  return Number((share * 100).toFixed(2));
}
