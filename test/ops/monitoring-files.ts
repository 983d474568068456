import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

export const RULES = read('ops/prometheus/docket.rules.yml');
export const RULES_TEST = read('ops/prometheus/docket.rules.test.yml');
export const METRICS_PAGE = read('docs/metrics.md');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

export const DASHBOARD = JSON.parse(read('ops/grafana/docket.json')) as {
  readonly panels: readonly Panel[];
};

/** An alert of the rules, as far as it is looked at here. */
export interface Alert {
  readonly name: string;
  readonly expr: string;
  /** What stands between its name and the next one. */
  readonly text: string;
}

/** The alerts, in their order. */
export const ALERTS: readonly Alert[] = RULES.split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    name: text.split('\n')[0]!,
    expr: /expr: ([^]*?)\n {8}for:/.exec(text)?.[1] ?? '',
    text,
  }));

/** The rows of a table of docs/metrics.md that begins with this heading, without marks of code. */
export function tableOf(heading: string): string[][] {
  const lines = METRICS_PAGE.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const end = lines.findIndex((line, at) => at > begin && !line.startsWith('|'));
  return lines.slice(begin + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}
