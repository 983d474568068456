import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlot } from '../../src/report/load-plot.ts';

const LEVELS = [
  { slots: 1, pagesPerSecond: 1, p50: 2, p95: 5 },
  { slots: 2, pagesPerSecond: 2, p50: 2.5, p95: 6 },
  { slots: 4, pagesPerSecond: 2, p50: 5, p95: 10 },
];

function drawn(change: Partial<Parameters<typeof loadPlot>[0]> = {}): string {
  return loadPlot({
    title: 'Load test',
    subtitle: '2 cores',
    levels: LEVELS,
    knee: { slots: 2, label: 'knee: 2 slots' },
    ...change,
  });
}

test('points stand where their values are: from 64 to 640 across, and from the foot of each panel up', () => {
  const lines = [...drawn().matchAll(/<polyline [^>]*points="([^"]*)"/g)].map(([, points]) => points!.trim());
  assert.deepEqual(lines, [
    // a quarter, half and all of 576; half and all of 180 above 292, as the axis ends at 2
    '208,202 352,112 640,112',
    // 2, 2.5 and 5 of 10, then 5, 6 and 10 of 10, above 540
    '208,504 352,495 640,450',
    '208,450 352,432 640,360',
  ]);
});

test('the knee is marked in both panels, and said in words on the side where there is room', () => {
  const left = drawn();
  assert.equal(left.match(/<line class="knee" x1="352" /g)?.length, 2);
  assert.match(left, /<text class="kneeword" x="358" [^>]*>knee: 2 slots</);
  const right = drawn({ knee: { slots: 4, label: 'knee: 4 slots' } });
  assert.match(right, /<text class="kneeword end" x="634" /);
});

test('names of lines that end at the same place do not lie over each other', () => {
  const levels = LEVELS.map((level) => ({ ...level, p50: 5, p95: 5 }));
  const heights = [...drawn({ levels }).matchAll(/<text x="652" y="([\d.]+)"/g)].map(([, y]) => Number(y));
  const [, half = 0, most = 0] = heights;
  assert.ok(most - half >= 15, heights.join());
});

test('what it shows can be heard: every level is in the description', () => {
  assert.match(
    drawn(),
    /<desc id="description">1 slots: 1\.0 pages a second, half of the documents within 2\.0 s, 95 % within 5\.0 s\. [^<]*knee: 2 slots\.<\/desc>/,
  );
});

test('names of folders stay text, and the file is one element that fetches nothing', () => {
  const svg = drawn({ subtitle: '<script>alert("1")</script> & more' });
  assert.match(svg, /&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; &amp; more/);
  assert.doesNotMatch(svg, /<script|href|url\(|NaN/);
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*<\/svg>\n$/);
});

test('a test of one level, or one in which nothing was published, is drawn too', () => {
  const svg = drawn({
    levels: [{ slots: 3, pagesPerSecond: 0, p50: Number.NaN, p95: Number.NaN }],
    knee: { slots: 3, label: 'no knee up to here' },
  });
  assert.doesNotMatch(svg, /NaN/);
  assert.equal(svg.match(/<polyline/g)?.length, 1);
});
