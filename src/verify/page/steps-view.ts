import type { Step } from '../step.ts';
import { element } from './element.ts';
import { STEP_MEANINGS } from './step-meanings.ts';

const SIGNS = { good: '✓', bad: '✗', open: '–' } as const;
const WORDS = { good: 'good', bad: 'failed', open: 'not checked' } as const;

/** Steps by their names, each name with its worst outcome; those that failed are open and come first. */
export function stepsView(steps: readonly Step[]): HTMLElement {
  const groups = [...Map.groupBy(steps, ({ name }) => name)];
  groups.sort(([, one], [, other]) => Number(hasFailed(other)) - Number(hasFailed(one)));
  return element('div', { class: 'steps' }, ...groups.map(([name, its]) => groupView(name, its)));
}

function groupView(name: string, steps: readonly Step[]): HTMLElement {
  const failed = steps.filter(({ ok }) => ok === false).length;
  const open = steps.filter(({ ok }) => ok === null).length;
  const tone = failed > 0 ? 'bad' : open === steps.length ? 'open' : 'good';
  const counts: readonly (readonly [number, string])[] = [
    [failed, 'failed'],
    [steps.length - failed - open, 'good'],
    [open, 'not checked'],
  ];
  const count = counts.flatMap(([number, what]) => (number > 0 ? `${number} ${what}` : [])).join(', ');
  return element(
    'details',
    { class: tone, ...(failed > 0 ? { open: '' } : {}) },
    element('summary', {}, sign(tone), element('b', {}, name), element('span', { class: 'count' }, count)),
    element('p', { class: 'remark' }, STEP_MEANINGS[name] ?? ''),
    element('ul', {}, ...steps.map(stepView)),
  );
}

function stepView({ ok, item, computed, expected, remark }: Step): HTMLElement {
  const tone = ok === null ? 'open' : ok ? 'good' : 'bad';
  const lines =
    ok === null
      ? [element('p', { class: 'remark' }, remark)]
      : computed === expected
        ? [line('recomputed, as expected', computed, expected)]
        : [line('recomputed', computed, expected), line('expected', expected, computed)];
  return element('li', { class: tone }, sign(tone), element('div', {}, element('p', {}, item), ...lines));
}

function line(what: string, value: string, other: string): HTMLElement {
  const shown = excerpt(value, other);
  return element('p', { class: 'value' }, element('span', {}, `${what} `), element('code', {}, shown));
}

const LONGEST = 240;

/** Of a long text the part around the first character that the other one has not. */
function excerpt(value: string, other: string): string {
  if (value.length <= LONGEST) return value;
  let differing = 0;
  while (differing < value.length && value[differing] === other[differing]) differing += 1;
  const from = value === other ? 0 : Math.max(0, differing - LONGEST / 2);
  const part = value.slice(from, from + LONGEST);
  return `${from > 0 ? '…' : ''}${part}… (${value.length} characters)`;
}

/** A mark for the eye, and a word for whoever does not see it. */
export function sign(tone: keyof typeof SIGNS): HTMLElement {
  return element(
    'span',
    { class: `sign ${tone}` },
    element('span', { 'aria-hidden': 'true' }, SIGNS[tone]),
    element('span', { class: 'unseen' }, `${WORDS[tone]}: `),
  );
}

function hasFailed(steps: readonly Step[]): boolean {
  return steps.some(({ ok }) => ok === false);
}
