import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposition, wantedFormat } from '../../src/server/metrics/exposition.ts';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

test('the format is the one that the scraper prefers of the two', () => {
  for (const [accept, wanted] of [
    [undefined, TEXT],
    ['', TEXT],
    ['*/*', TEXT],
    ['text/html', TEXT],
    ['text/plain;version=0.0.4', TEXT],
    ['application/openmetrics-text', OPEN_METRICS],
    ['application/openmetrics-text; version=0.0.1', TEXT],
    ['application/openmetrics-text;q=0', TEXT],
    ['application/openmetrics-text;q=0.2, text/plain;q=0.5', TEXT],
    // As Prometheus 2.42 and 3.5 ask.
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      OPEN_METRICS,
    ],
    [
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      OPEN_METRICS,
    ],
  ] as const) {
    assert.equal(wantedFormat(accept), wanted, accept);
  }
});

test('values, labels of any characters, and figures of the process are written in both formats, again and again', async () => {
  const samples = [
    { metric: 'workers', labels: {}, value: 3 },
    { metric: 'oldest', labels: { measure: 'waiting', by: 'source', group: 'a"b\\c\nd' }, value: 1.5 },
  ] as const;
  for (const format of [TEXT, OPEN_METRICS, TEXT, OPEN_METRICS] as const) {
    const lines = (await exposition(samples, format)).split('\n');
    assert.ok(lines.includes('docket_workers 3'));
    assert.ok(
      lines.includes('docket_oldest_seconds{measure="waiting",by="source",group="a\\"b\\\\c\\nd"} 1.5'),
      lines.filter((line) => line.startsWith('docket_oldest')).join('\n'),
    );
    assert.ok(lines.some((line) => line.startsWith('process_cpu_seconds_total ')));
    assert.equal(lines.includes('# EOF'), format === OPEN_METRICS);
    assert.ok(lines.includes(`# TYPE process_cpu_seconds${format === TEXT ? '_total' : ''} counter`));
  }
});
