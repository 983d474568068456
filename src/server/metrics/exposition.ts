import type { RegistryContentType } from 'prom-client';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { MetricName, Sample } from './metric-table.ts';
import { METRICS } from './metric-table.ts';

/** A way of writing figures down. */
export type Format = RegistryContentType;

const TEXT = Registry.PROMETHEUS_CONTENT_TYPE;
const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;

/** The format that a header `Accept` asks for; text, where it says nothing of the two. */
export function wantedFormat(accept = ''): Format {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.toLowerCase().replaceAll(/\s/g, '').split(';');
    const of = (name: string) =>
      parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
    const quality = Number(of('q') ?? 1);
    return { type, version: of('version'), quality: Number.isNaN(quality) ? 0 : quality };
  });
  const best = (isMeant: (range: (typeof ranges)[number]) => boolean) =>
    Math.max(0, ...ranges.filter(isMeant).map(({ quality }) => quality));
  const open = best(
    ({ type, version = '1.0.0' }) => type === 'application/openmetrics-text' && version === '1.0.0',
  );
  const text = best(
    ({ type, version = '0.0.4' }) => /^(text\/plain|text\/\*|\*\/\*)$/.test(type) && version === '0.0.4',
  );
  return open > 0 && open >= text ? OPEN_METRICS : TEXT;
}

/** Figures as scrapers read them, with those of the process. */
export async function exposition(samples: readonly Sample[], format: Format): Promise<string> {
  const registry = registryOf(format);
  const gauges = {} as Record<MetricName, Gauge>;
  for (const [metric, { name, help, labels }] of Object.entries(METRICS)) {
    const gauge = new Gauge<string>({ name, help, labelNames: labels, registers: [] });
    registry.registerMetric(gauge);
    gauges[metric as MetricName] = gauge;
  }
  for (const { metric, labels, value } of samples) gauges[metric].set(labels, value);
  // Its types know one format alone.
  return Registry.merge([registry, processMetrics(format)] as Registry[]).metrics();
}

function registryOf(format: Format): Registry<Format> {
  const registry = new Registry<Format>();
  registry.setContentType(format);
  return registry;
}

const ofProcess = new Map<Format, Registry<Format>>();

/**
 * The figures of this process, begun once, as they observe it from then on. One registry a format: writing OpenMetrics takes
 * the ending of counters from their names for good.
 */
function processMetrics(format: Format): Registry<Format> {
  const known = ofProcess.get(format);
  if (known) return known;
  const register = registryOf(format);
  collectDefaultMetrics({ register });
  ofProcess.set(format, register);
  return register;
}
