/**
 * What the built-in redaction rules find of personal data that was planted on logistics pages, by kind, and what they mask
 * that must stay readable; and what a page costs. The last line is the result as JSON.
 */
import { measure } from '../corpus/redaction/measure.ts';
import { measuredPages } from '../corpus/redaction/planted.ts';
import { redactPage } from '../src/domain/redaction/redact-page.ts';
import type { RedactionRule } from '../src/domain/redaction/rules.ts';
import { compileRules } from '../src/domain/redaction/rules.ts';
import { openBenchDatabase } from './support/bench-database.ts';

const database = await openBenchDatabase();
const owner = await database.connect('postgres');
const { rows } = await owner.query<RedactionRule>(
  `select r.rule, r.reason, r.document_kind as "documentKind", r.pattern, r.validator, r.region
   from docket.redaction_rules r where r.rule_set_id = docket.active_rule_set() order by r.rule`,
);
await database.close();

const rules = compileRules(rows);
const pages = measuredPages();
const { recall, readable } = measure(rules, pages);
const startedMs = performance.now();
for (const page of pages) redactPage(page, rules, page.documentKind);
const msPerPage = (performance.now() - startedMs) / pages.length;

const total = { planted: 0, found: 0 };
for (const [kind, { planted, found }] of Object.entries(recall).sort()) {
  total.planted += planted;
  total.found += found;
  console.log(
    `${kind.padEnd(16)} ${String(found).padStart(4)} of ${String(planted).padStart(4)} found  ${percent(found, planted)} %`,
  );
}
const kept = { shown: 0, lost: 0 };
for (const [kind, { shown, lost }] of Object.entries(readable).sort()) {
  kept.shown += shown;
  kept.lost += lost;
  console.log(
    `${kind.padEnd(16)} ${String(lost).padStart(4)} of ${String(shown).padStart(4)} masked by mistake`,
  );
}
console.log(
  JSON.stringify({
    bench: 'redaction',
    value: percent(total.found, total.planted),
    unit: '% of planted items masked whole',
    recall,
    readable: { shown: kept.shown, lost: kept.lost },
    ms_per_page: Number(msPerPage.toFixed(2)),
    n: total.planted,
  }),
);

function percent(part: number, whole: number): number {
  return Number(((100 * part) / whole).toFixed(2));
}
