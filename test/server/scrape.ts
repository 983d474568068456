import assert from 'node:assert/strict';
import type { ServerFixture } from './server-fixture.ts';

/** Whose token a scraper has. */
export const SCRAPER = { role: 'operator', sources: ['*'], subject: 'prometheus' };

/** Figures as a scraper reads them: values by name and labels, as `name{a="1",b="2"}`. */
export function seriesOf(text: string): Map<string, number> {
  const values = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, number] => {
      const [, series, value] = /^(\S+?(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      assert.ok(series !== undefined, line);
      return [series, value === 'Nan' ? NaN : Number(value)];
    });
  const series = new Map(values);
  assert.equal(series.size, values.length, 'no series is told twice');
  return series;
}

/** What a scrape gets; fails where it is refused. */
export async function scrape(server: ServerFixture): Promise<Map<string, number>> {
  const response = await server.get(SCRAPER, '/metrics');
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return seriesOf(text);
}

/** The series of one metric, as an object. */
export function ofMetric(series: ReadonlyMap<string, number>, name: string): Record<string, number> {
  return Object.fromEntries(
    [...series].flatMap(([key, value]) =>
      key === name || key.startsWith(`${name}{`) ? [[key.slice(name.length), value]] : [],
    ),
  );
}
