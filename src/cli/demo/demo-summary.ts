import { relative } from 'node:path';
import { formatCount } from '../../report/measures.ts';
import { psqlLine } from '../connect-line.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import type { DemoOutcome } from './demo-outcomes.ts';
import type { DemoTotals } from './demo-totals.ts';

const NARROW = 150;
const SHORT_HASH = 12;
const STANDINGS = { signed: 'signed', received: 'bytes received', claimed: 'hash claimed' };
/** How a person starts the program: from the sources or from the package. */
const DOCKET = import.meta.url.endsWith('.ts') ? 'npm run docket --' : 'docket';

/** The outcomes as a table; on a narrow terminal hashes are shortened. */
export function outcomeTable(outcomes: readonly DemoOutcome[], columns: number | undefined): string {
  const isNarrow = columns !== undefined && columns < NARROW;
  return textTable(
    ['file', 'state', 'signature', 'pages', 'confidence', 'first words', 'sha256 of the bytes'],
    outcomes.map((one) => {
      const hash = one.stored.sha256.toString('hex');
      return [
        one.file,
        stateOf(one),
        STANDINGS[one.standing],
        one.duplicateOf === null && one.pageCount > 0 ? one.pageCount : null,
        one.duplicateOf === null ? (one.confidence?.toFixed(1) ?? null) : null,
        one.duplicateOf === null ? one.firstWords.slice(0, isNarrow ? 24 : 40) : '',
        isNarrow ? `${hash.slice(0, SHORT_HASH)}…` : hash,
      ];
    }),
  );
}

/** What it came to, and where to go on from here. */
export function closingLines(
  database: DatabaseAccess,
  {
    totals,
    proof,
    report,
    folders,
    seconds,
  }: { totals: DemoTotals; proof: readonly string[]; report: string; folders: string[]; seconds: number },
): string {
  const data = shown(database.config.dataDir);
  return [
    `${totals.submitted} delivered, ${totals.published} published, ${totals.quarantined} quarantined, ` +
      `${formatCount(totals.duplicates, 'duplicate')}; ${formatCount(totals.pages, 'page')} in ${seconds.toFixed(0)} s.`,
    `${totals.signed} of the documents signed as a whole by a key that is trusted; receipts: ` +
      `${Object.entries(totals.receipts)
        .map(([outcome, count]) => `${count} ${outcome}`)
        .join(', ')}.`,
    totals.chains_ok
      ? `${totals.events} audit events: every hash recomputed, every chain intact.`
      : 'THE AUDIT LOG DOES NOT AGREE WITH ITSELF.',
    `${formatCount(totals.sealed, 'scan')} sealed in the store (AES-256-GCM), each by a key of its own; ` +
      `what wraps those keys is ${shown(database.config.keyFile)}.`,
    '',
    ...proof,
    '',
    `  report     ${shown(report)}`,
    `  data       ${data}`,
    `  look in    DOCKET_DATA_DIR=${data} ${DOCKET} status`,
    `  verify     DOCKET_DATA_DIR=${data} ${DOCKET} verify`,
    `  or start   DOCKET_DATA_DIR=${data} ${DOCKET} up`,
    `  and then   ${psqlLine(database)} -c 'select * from docket.document_overview'`,
    `  clean up   rm -rf ${folders.map(shown).join(' ')}`,
  ].join('\n');
}

function stateOf({ state, code, duplicateOf }: DemoOutcome): string {
  if (duplicateOf !== null) return `duplicate of ${duplicateOf}`;
  return code === null ? state : `${state}: ${code}`;
}

/** A path below the present folder is shown from there. */
function shown(path: string): string {
  const below = relative(process.cwd(), path);
  const text = below === '' || below.startsWith('..') ? path : below;
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
