import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import type { Recognition } from '../../src/ocr/engine.ts';
import { OUTCOMES } from './corpus-outcomes.ts';
import { GENEROUS_MS, never, openEngine } from './scratch.ts';

const CORPUS = process.env['DOCKET_CORPUS'] ?? '../shared/corpus';
/** For the one document that only a deadline ends. */
const SHORT_MS = 3_000;

/** Runs every document of the handed-over corpus whose path matches through an engine of two children. */
export function testCorpusFiles(title: string, matches: RegExp): void {
  const index = join(CORPUS, 'INDEX.tsv');
  if (!existsSync(index)) {
    test(title, { skip: `there is no corpus at ${CORPUS}; DOCKET_CORPUS says where it is` });
    return;
  }
  const rows = readFileSync(index, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([path = '']) => matches.test(path) && !path.endsWith('.txt'));
  describe(title, { concurrency: 2 }, () => {
    const { engine } = openEngine({ children: 2 });
    for (const [path = '', , , , , , expected = ''] of rows) {
      const outcome = OUTCOMES[path] ?? {};
      test(`${path} (${expected}) ${outcome.why ?? ''}`.trim(), async () => {
        const deadline = outcome.code === 'OCR_TIMEOUT' ? SHORT_MS : GENEROUS_MS;
        const reading = engine.recognise(join(CORPUS, path), { signal: never(), deadline });
        if (outcome.code === undefined || ['WARNED', 'MISMATCH'].includes(outcome.code)) {
          assertRecognised(await reading, path, expected);
        } else {
          await assert.rejects(
            reading,
            (error) => error instanceof DocketError && error.code === outcome.code,
          );
        }
      });
    }
  });
}

function assertRecognised(recognition: Recognition, path: string, expected: string): void {
  const { code, verdicts, excused = [] } = OUTCOMES[path] ?? {};
  const { pages, warnings, pagesDeclared, pagesDecoded } = recognition;
  assert.equal(warnings.length > 0, code === 'WARNED', warnings.join('; '));
  assert.equal(pagesDecoded < pagesDeclared, code === 'MISMATCH');
  assert.equal(pages.length, pagesDecoded);
  assert.deepEqual(
    pages.map((page) => page.verdict),
    verdicts ?? pages.map(() => 'text'),
  );
  for (const { width, height, words } of pages) {
    for (const [text, , x0, y0, x1, y1] of words) {
      assert.ok(
        0 <= x0 && x0 < x1 && x1 <= width && 0 <= y0 && y0 < y1 && y1 <= height,
        `the box of ${text}`,
      );
    }
  }
  const text = flat(pages.map((page) => page.text).join(' '));
  for (const alternatives of quotedWords(expected)) {
    if (alternatives.some((words) => excused.includes(words))) continue;
    assert.ok(
      alternatives.some((words) => text.includes(flat(words))),
      `${alternatives.join(' or ')} is in: ${text.slice(0, 2000)}`,
    );
  }
}

/** The quoted words of an expectation, each a list of alternatives: "a" "b"|"c". */
function quotedWords(expected: string): string[][] {
  return [...expected.matchAll(/"[^"]+"(?:\|"[^"]+")*/g)].map(([group]) =>
    group.split('|').map((words) => words.slice(1, -1)),
  );
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
