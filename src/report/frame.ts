import { createHash } from 'node:crypto';
import { Html, markup } from './html.ts';
import { formatTime } from './measures.ts';
import { POINTER_SCRIPT } from './pointer-script.ts';
import { STYLE } from './style.ts';

/** What is said of the report as a whole. */
export interface ReportOptions {
  title: string;
  /** When it was made, ISO 8601. */
  madeAt: string;
  /** Name and version of the program. */
  madeBy: string;
}

/** Our own constants, the only markup that does not pass through the escaping tag. */
const [style, script] = [STYLE, POINTER_SCRIPT].map((text) => Html.of([text], []));

/**
 * Everything up to the summary. The policy lets the one script run whose digest it names, and nothing be fetched: should
 * a hostile text ever get past the escaping, a browser still would not run it.
 */
export function opening(options: ReportOptions): Html {
  const digest = createHash('sha256').update(POINTER_SCRIPT).digest('base64');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${options.title}</title>
<style>${style}</style>
</head>
<body id="top">
<a class="skip" href="#summary">Skip to the summary</a>
<header class="masthead"><p class="mark" aria-hidden="true">▤</p><div><h1>${options.title}</h1>
<p>${options.madeBy}, <time datetime="${options.madeAt}">${formatTime(options.madeAt)} UTC</time></p></div></header>
<main>`;
}

/** Everything after the last document; `notes` say how to read it. */
export function footer(options: ReportOptions, notes: Html): Html {
  return markup`
</main>
<footer>${notes}
<p>Made by ${options.madeBy}. This file loads nothing from anywhere.</p></footer>
<script>${script}</script>
</body>
</html>
`;
}
