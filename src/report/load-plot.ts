import { roundTicks } from '../domain/loadtest/round-ticks.ts';
import { Html, markup } from './html.ts';

/** One level of a load test. */
export interface PlottedLevel {
  readonly slots: number;
  readonly pagesPerSecond: number;
  /** Seconds from accepted to published; NaN where no document was. */
  readonly p50: number;
  readonly p95: number;
}

export interface LoadPlot {
  readonly title: string;
  /** Below the title: where and what it was measured with. */
  readonly subtitle: string;
  readonly levels: readonly PlottedLevel[];
  /** The level to be marked, with what is said of it. */
  readonly knee: { readonly slots: number; readonly label: string };
}

interface Line {
  readonly name: string;
  readonly colour: string;
  readonly dashed?: boolean;
  readonly values: readonly number[];
}

interface Panel {
  readonly top: number;
  readonly heading: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const WIDTH = 760;
const HEIGHT = 600;
const LEFT = 64;
const RIGHT = 640;
const PANEL_HEIGHT = 180;
const TOPS = [112, 360] as const;
/** Lines whose ends are nearer than this would have their names printed over each other. */
const LINE_HEIGHT = 16;

const BLUE = '#0b5a7a';
const AMBER = '#a35a00';
const RED = '#9b2c1d';

const DASHED = Html.of([' stroke-dasharray="7 4"'], []);
const STYLE = Html.of(
  [
    `text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif; fill: #1d2327 }
.title { font-size: 19px; font-weight: 600 } .soft { fill: #565f66 } .heading { font-weight: 600 }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #e6e3dc } .axis { stroke: #8a9299 } .knee { stroke: #1c6b3c; stroke-dasharray: 5 4; stroke-width: 1.5 }
.kneeword { fill: #1c6b3c; font-weight: 600 } .line { fill: none; stroke-width: 2.5; stroke-linejoin: round }`,
  ],
  [],
);

/** The curve of a load test as an SVG file of its own: pages a second over slots, below it the ages of documents. */
export function loadPlot({ title, subtitle, levels, knee }: LoadPlot): string {
  const widest = Math.max(1, ...levels.map(({ slots }) => slots));
  const across = (slots: number) => LEFT + ((RIGHT - LEFT) * slots) / widest;
  const [upper, lower] = TOPS;
  const bottom = lower + PANEL_HEIGHT;
  const panels: Panel[] = [
    {
      top: upper,
      heading: 'Throughput',
      unit: 'pages a second',
      lines: [{ name: 'pages/s', colour: BLUE, values: levels.map((one) => one.pagesPerSecond) }],
    },
    {
      top: lower,
      heading: 'Age of a document, accepted to published',
      unit: 'seconds',
      lines: [
        { name: 'half (p50)', colour: AMBER, values: levels.map((one) => one.p50) },
        { name: '95 % (p95)', colour: RED, dashed: true, values: levels.map((one) => one.p95) },
      ],
    },
  ];
  const at = place(across(knee.slots));
  const isRight = at > (LEFT + RIGHT) / 2;
  const svg = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title description">
<title id="title">${title}</title>
<desc id="description">${levels.map((one) => `${one.slots} slots: ${short(one.pagesPerSecond)} pages a second, half of the documents within ${short(one.p50)} s, 95 % within ${short(one.p95)} s. `)}${knee.label}.</desc>
<style>${STYLE}</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<text class="title" x="24" y="36">${title}</text>
<text class="soft" x="24" y="58">${subtitle}</text>
${TOPS.map(
  (top) => markup`<line class="knee" x1="${at}" y1="${top - 8}" x2="${at}" y2="${top + PANEL_HEIGHT}"/>
`,
)}<text class="kneeword${isRight && ' end'}" x="${isRight ? at - 6 : at + 6}" y="${upper + PANEL_HEIGHT - 10}">${knee.label}</text>
${panels.map((panel) => drawPanel(panel, levels, across))}
<text class="soft middle" x="${(LEFT + RIGHT) / 2}" y="${bottom + 44}">slots that recognise (pool ocr)</text>
</svg>
`;
  return svg.markup;
}

function drawPanel(panel: Panel, levels: readonly PlottedLevel[], across: (slots: number) => number): Html {
  const lines = panel.lines
    .map((line) => ({
      ...line,
      points: levels.flatMap(({ slots }, at) => {
        const value = line.values[at];
        return value === undefined || Number.isNaN(value) ? [] : [{ slots, value }];
      }),
    }))
    .filter(({ points }) => points.length > 0);
  const ticks = roundTicks(Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value))));
  const most = ticks.at(-1) ?? 1;
  const bottom = panel.top + PANEL_HEIGHT;
  const up = (value: number) => bottom - (PANEL_HEIGHT * value) / most;
  const names = apart(lines.map(({ points }) => up(points.at(-1)?.value ?? 0)));
  const end = across(levels.at(-1)?.slots ?? 0);
  return markup`<text class="heading" x="${LEFT}" y="${panel.top - 18}">${panel.heading}<tspan class="soft" font-weight="400" dx="8">${panel.unit}</tspan></text>
${ticks.map(
  (
    tick,
  ) => markup`<line class="${tick === 0 ? 'axis' : 'grid'}" x1="${LEFT}" y1="${place(up(tick))}" x2="${RIGHT}" y2="${place(up(tick))}"/>
<text class="soft end" x="${LEFT - 8}" y="${place(up(tick) + 4.5)}">${tick}</text>
`,
)}${levels.map(
    ({ slots }) =>
      markup`<text class="soft middle" x="${place(across(slots))}" y="${bottom + 20}">${slots}</text>
`,
  )}${lines.map(({ name, colour, dashed, points }, which) => {
    const places = points.map(({ slots, value }) => ({ x: place(across(slots)), y: place(up(value)) }));
    return markup`<polyline class="line" stroke="${colour}"${dashed === true && DASHED} points="${places.map(({ x, y }) => `${x},${y} `)}"/>
${places.map(({ x, y }) => markup`<circle cx="${x}" cy="${y}" r="4" fill="${colour}"/>`)}
<text x="${place(end + 12)}" y="${place((names[which] ?? 0) + 4.5)}" style="fill: ${colour}">${name}</text>
`;
  })}`;
}

/** Heights, from the top, moved down as far as it takes for each to stand below the one before it. */
function apart(heights: readonly number[]): number[] {
  const moved = [...heights];
  const order = heights
    .map((_, at) => at)
    .toSorted((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  order.reduce((least, at) => {
    const height = Math.max(least, moved[at] ?? 0);
    moved[at] = height;
    return height + LINE_HEIGHT;
  }, -Infinity);
  return moved;
}

/** A place on the picture, to a tenth of a pixel. */
function place(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A measured number as people read it, with two significant digits after which nothing is known. */
function short(value: number): string {
  if (Number.isNaN(value)) return '?';
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}
