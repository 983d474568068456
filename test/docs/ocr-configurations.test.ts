import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseOverrides } from '../../src/ocr/parameter-overrides.ts';
import {
  MODEL,
  ORIENTATION,
  PREPARATION,
  RASTERISATION,
  SECOND_READING,
  TESSERACT,
} from '../../src/ocr/parameters.ts';

const TEXT = await readFile(new URL('../../docs/ocr-configurations.md', import.meta.url), 'utf8');

/** The rows of the table of parameters. */
const ROWS = [...TEXT.matchAll(/^\| `((?:\w+\.)?\w+)` \| (?:`([^`]+)`)? ?\| ([^|]+) \| [^|]+ \|$/gm)].map(
  ([, name, builtIn, bounds]) => ({ name: name!, builtIn, bounds: bounds! }),
);

const BUILT_IN: Readonly<Record<string, unknown>> = {
  model: MODEL,
  ...flat({
    tesseract: TESSERACT,
    preparation: PREPARATION,
    orientation: ORIENTATION,
    secondReading: SECOND_READING,
    rasterisation: RASTERISATION,
  }),
};

function flat(groups: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, values]) =>
      Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]),
    ),
  );
}

function isTaken(name: string, value: unknown): boolean {
  const [group = '', parameter] = name.split('.');
  try {
    parseOverrides({ [group]: parameter === undefined ? value : { [parameter]: value } });
    return true;
  } catch {
    return false;
  }
}

test('the page names every parameter with the value that is built in', () => {
  const stated = Object.fromEntries(
    ROWS.filter((row) => row.builtIn !== undefined).map((row) => [row.name, row.builtIn]),
  );
  const expected = Object.fromEntries(
    Object.entries(BUILT_IN).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value === 0.00002 ? '0.00002' : JSON.stringify(value),
    ]),
  );
  assert.deepEqual(stated, expected);
  assert.equal(ROWS.length, Object.keys(BUILT_IN).length + 6);
});

for (const { name, bounds } of ROWS) {
  test(`${name} is taken within the bounds that the page states, and not beyond`, () => {
    if (bounds.startsWith('one of ')) {
      for (const [, value] of bounds.matchAll(/`([^`]+)`/g)) assert.ok(isTaken(name, value), value);
      assert.ok(!isTaken(name, 'another'));
      return;
    }
    if (bounds.startsWith('text of up to ')) {
      const most = Number(bounds.slice('text of up to '.length));
      assert.deepEqual([isTaken(name, 'x'.repeat(most)), isTaken(name, 'x'.repeat(most + 1))], [true, false]);
      return;
    }
    const [, least, most] = /([\d.]+) to ([\d.]+)$/.exec(bounds)!.map(Number) as [number, number, number];
    const inside: unknown[] = [least, most];
    const outside: unknown[] = [least - 0.001, most + 0.001];
    // Of several numbers the first lies at a bound, or beyond.
    const asStated = (value: unknown) => {
      if (bounds.startsWith('two'))
        return value === inside[1] || value === outside[1] ? [least, value] : [value, most];
      return bounds.includes('of them') ? [value] : value;
    };
    for (const value of inside) assert.ok(isTaken(name, asStated(value)), String(value));
    for (const value of outside) assert.ok(!isTaken(name, asStated(value)), String(value));
    if (bounds.startsWith('whole')) assert.ok(!isTaken(name, least + 0.5));
    if (bounds.startsWith('two')) assert.ok(!isTaken(name, [most, least]));
    const list = /^(\d+) to (\d+) of them/.exec(bounds);
    if (list) {
      assert.ok(!isTaken(name, Array(Number(list[1]) - 1).fill(least)));
      assert.ok(isTaken(name, Array(Number(list[2])).fill(least)));
      assert.ok(!isTaken(name, Array(Number(list[2]) + 1).fill(least)));
    }
  });
}
