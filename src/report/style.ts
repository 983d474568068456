/** The look of the report: system fonts only, both colour schemes, readable in print and at any width. */
export const STYLE = `
:root {
  --paper: #f6f5f1; --card: #fff; --ink: #1d2327; --soft: #565f66; --line: #dedbd3; --accent: #0b5a7a;
  --good: #1c6b3c; --good-bg: #e3f3e8; --bad: #9b2c1d; --bad-bg: #fbe9e5; --same: #5a4a8a; --same-bg: #eeeaf8;
  --open: #7a5a00; --open-bg: #fbf1d3; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181b; --card: #1d2327; --ink: #e8e6e1; --soft: #a9b1b7; --line: #363f45; --accent: #7cc4e4;
    --good: #84d8a2; --good-bg: #193324; --bad: #f6a494; --bad-bg: #40211b; --same: #c5b6f5; --same-bg: #2c2644;
    --open: #ecca6d; --open-bg: #3a3014;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif; }
main, .masthead, footer { max-width: 82rem; margin: 0 auto; padding: 0 1.25rem; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--card); z-index: 2; }
.masthead { display: flex; gap: 1rem; align-items: center; padding-block: 2rem 1.25rem; }
.masthead p { margin: 0; color: var(--soft); }
.masthead .mark { font-size: 2rem; line-height: 1; width: 3.25rem; height: 3.25rem; border-radius: .75rem; background: var(--accent); color: var(--paper); display: grid; place-items: center; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 0; font-size: 1.2rem; overflow-wrap: anywhere; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
h3 small { margin-left: .75rem; font-weight: 400; font-size: .85rem; color: var(--soft); }
code { font-family: var(--mono); font-size: .86em; }
.hash { color: var(--soft); }
.hash.whole { color: var(--ink); overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 0 0 1.25rem; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem; display: flex; flex-direction: column-reverse; }
.tile dt { color: var(--soft); font-size: .85rem; }
.tile dd { margin: 0; font-size: 1.7rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile.good dd { color: var(--good); } .tile.bad dd { color: var(--bad); } .tile.same dd { color: var(--same); } .tile.open dd { color: var(--open); }
.wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .45rem .8rem; border-bottom: 1px solid var(--line); vertical-align: baseline; white-space: nowrap; font-weight: 400; }
tbody tr:last-child > * { border-bottom: 0; }
tbody tr:hover > * { background: color-mix(in srgb, var(--accent) 7%, transparent); }
thead th { font-size: .8rem; color: var(--soft); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.words { width: 99%; min-width: 12rem; max-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--soft); }
.timeline th, .timeline td { padding-inline: .55rem; }
.timeline td:nth-of-type(5) { white-space: normal; min-width: 14rem; }
.timeline th[scope=row] { font-weight: 600; }
.timeline time { font-variant-numeric: tabular-nums; }
.ok > span:first-child { color: var(--good); font-weight: 700; } .broken > span:first-child { color: var(--bad); font-weight: 700; }
.badge { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .82rem; font-weight: 600; white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-bg); } .badge.bad { color: var(--bad); background: var(--bad-bg); }
.badge.same { color: var(--same); background: var(--same-bg); } .badge.open { color: var(--open); background: var(--open-bg); }
.badge.received { color: var(--soft); border: 1px solid var(--line); }
article { margin: 2.5rem 0 0; padding: 1.25rem; background: color-mix(in srgb, var(--card) 55%, var(--paper)); border: 1px solid var(--line); border-radius: 1rem; content-visibility: auto; contain-intrinsic-size: auto 60rem; }
article > header { display: flex; flex-wrap: wrap; gap: .25rem .9rem; align-items: baseline; }
.up { margin-left: auto; font-size: .85rem; }
.note { margin: .9rem 0 0; padding: .7rem 1rem; border-radius: .6rem; border-left: 4px solid; }
.note.bad { background: var(--bad-bg); border-color: var(--bad); } .note.same { background: var(--same-bg); border-color: var(--same); }
.note.good { background: var(--good-bg); border-color: var(--good); } .note.received { border-color: var(--line); }
.signatures th, .signatures td { white-space: normal; }
.signatures small { display: block; min-width: 9rem; font-weight: 400; color: var(--soft); }
.note p { margin: .15rem 0; } .said { font-family: var(--mono); font-size: .86em; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: .6rem 1.5rem; margin: .9rem 0 0; font-size: .9rem; }
.facts dt { color: var(--soft); font-size: .8rem; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem; align-items: start; }
figure { margin: 0; }
.sheet { position: relative; background: #fff; border: 1px solid var(--line); border-radius: .4rem; overflow: hidden; margin-inline: auto; }
.sheet img, .sheet svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.absent { color: #565f66; text-align: center; }
rect { fill: transparent; stroke-width: 1.2px; vector-effect: non-scaling-stroke; }
rect.a { stroke: rgb(20 110 150 / .55); } rect.b { stroke: rgb(190 120 0 / .85); } rect.c { stroke: rgb(200 40 20 / .9); }
rect:hover { fill: rgb(255 215 0 / .35); }
.pointed { min-height: 1.6em; font-family: var(--mono); font-size: .88rem; text-align: center; overflow-wrap: anywhere; }
pre { margin: 0; padding: .9rem 1rem; max-height: 56rem; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; font: .82rem/1.45 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.verdict { margin: 0; padding: .9rem 1rem; border: 1px dashed var(--line); border-radius: .4rem; color: var(--soft); }
.key { padding: 0 .4rem; border: 2px solid; border-radius: .25rem; white-space: nowrap; }
.key.a { border-color: #2a86ad; } .key.b { border-color: #be7800; } .key.c { border-color: #c82814; }
header + .maps { margin-top: 1rem; }
.maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 1rem; align-items: start; }
.map svg { display: block; width: 100%; background: #fff; border: 1px solid var(--line); border-radius: .4rem; }
.map rect { fill: rgb(200 40 20 / .3); }
.map figcaption { margin-top: .3rem; font-size: .8rem; color: var(--soft); }
footer { padding-block: 2rem 3rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 52rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
@media print { body { background: #fff; } article { break-before: page; content-visibility: visible; } .up, .skip { display: none; } pre { max-height: none; } }
`;
