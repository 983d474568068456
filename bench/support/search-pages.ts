// A made-up archive for the search: pages of logistics papers with word boxes, of one big source, one small and many others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { containerNumber } from '../../corpus/container-number.ts';
import { createRandom, type Random } from '../../corpus/random.ts';

/** The sources of the archive, and which share of it is of each; the rest is spread over further ones. */
export const BIG_SOURCE = 'big-carrier';
export const SMALL_SOURCE = 'small-depot';
const BIG_SHARE = 0.6;
const SMALL_SHARE = 0.005;
const OTHER_SOURCES = 20;

const KINDS = ['bill-of-lading', 'delivery-receipt', 'customs-form', 'exception-sheet', 'unknown'];
const BATCH_PAGES = 500;
/** Papers of three years. */
const DAYS = 1_095;
const FIRST_DAY = Date.UTC(2023, 10, 1);
const COMMON_WORDS = ['container', 'rotterdam', 'date', 'signature', 'carrier'];

/** One page and what stands on it that a person may look for. */
export interface Planted {
  sourceId: string;
  day: string;
  container: string;
  words: [string, string];
}

interface Page {
  document: number;
  pageNo: number;
  text: string;
  words: string;
}

/** Words that are printed on papers, the frequent ones first; and some thousand names as there are of places and firms. */
function vocabulary(random: Random): string[] {
  const folder = join(import.meta.dirname, '..', '..', 'corpus', 'truth');
  const printed = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split(/\s+/),
  );
  const counts = new Map<string, number>();
  for (const word of printed) if (/^[A-Za-z]{3,}$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const syllables =
    'ba den ger hol kar lin mor nes pol ras sten tor ul ver wick zan mar bor dal fjo gri hus'.split(' ');
  const names = Array.from({ length: 20_000 }, () => {
    const name = Array.from({ length: random.int(2, 4) }, () => random.pick(syllables)).join('');
    return name[0]!.toUpperCase() + name.slice(1);
  });
  return [...[...counts].sort(([, a], [, b]) => b - a).map(([word]) => word), ...names];
}

/** A page of some two hundred words; the codes on it are its own. */
function makePage(
  random: Random,
  words: readonly string[],
  container: string,
  pair: readonly string[],
): string[] {
  const count = random.int(120, 280);
  // frequent words are frequent: the rank of a word falls off as in any language
  const word = () => words[Math.floor(words.length ** random.unit()) - 1]!;
  const tokens = Array.from({ length: count }, word);
  const put = (...inserted: string[]) => void tokens.splice(random.int(0, tokens.length), 0, ...inserted);
  put('Container', container);
  put('SEAL', random.digits(6));
  put('Booking', random.digits(10));
  put(`BL${random.digits(8)}`);
  put(
    `${random.int(1, 28)}.${random.int(1, 12)}.2025`,
    'HS',
    `${random.digits(4)}.${random.digits(2)}.${random.digits(2)}`,
  );
  for (let line = random.int(2, 8); line > 0; line--) {
    put(
      `${random.int(1, 99)},${random.digits(3)}.${random.digits(2)}`,
      'kg',
      String(random.int(1, 900)),
      'CTN',
    );
  }
  put(...pair);
  for (const common of COMMON_WORDS) if (random.unit() < 0.85) put(common);
  return tokens;
}

function asJsonWords(tokens: readonly string[], random: Random): string {
  const boxes = tokens.map((token, place) => {
    const x = 100 + (place % 10) * 150;
    const y = 100 + Math.floor(place / 10) * 60;
    return `["${token}",${String(random.int(700, 990) / 10)},${String(x)},${String(y)},${String(x + 12 * token.length)},${String(y + 28)}]`;
  });
  return `[${boxes.join(',')}]`;
}

/** Writes an archive of so many pages, as if it had been published and redacted by a rule set; returns some of it. */
export async function writeArchive(db: pg.Client, pages: number, ruleSet: number): Promise<Planted[]> {
  const random = createRandom('search');
  const words = vocabulary(random);
  const planted: Planted[] = [];
  // The archive does not come through the state machine, whose guards would rightly refuse it.
  const guarded = ['jobs', 'results', 'redactions', 'redacted_pages'];
  for (const table of guarded) await db.query(`alter table docket.${table} disable trigger all`);
  let made = 0;
  for (let document = 1; made < pages;) {
    const documents: [string, string, string, number][] = [];
    const batch: Page[] = [];
    for (; batch.length < BATCH_PAGES && made + batch.length < pages; document++) {
      const share = random.unit();
      const sourceId =
        share < BIG_SHARE
          ? BIG_SOURCE
          : share < BIG_SHARE + SMALL_SHARE
            ? SMALL_SOURCE
            : `carrier-${String(random.int(1, OTHER_SOURCES))}`;
      const day = new Date(FIRST_DAY + random.int(0, DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
      const pageCount = Math.min(random.pick([1, 1, 1, 2, 3, 6]), pages - made - batch.length);
      documents.push([sourceId, random.pick(KINDS), day, pageCount]);
      for (let pageNo = 1; pageNo <= pageCount; pageNo++) {
        const container = containerNumber(random);
        const pair = [words[random.int(1_000, words.length - 1)]!, words[random.int(200, 1_000)]!] as const;
        const tokens = makePage(random, words, container, pair);
        batch.push({ document, pageNo, text: tokens.join(' '), words: asJsonWords(tokens, random) });
        if (sourceId === SMALL_SOURCE || random.unit() < 0.02)
          planted.push({ sourceId, day, container, words: [pair[0], pair[1]] });
      }
    }
    await writeBatch(db, ruleSet, document - documents.length, documents, batch);
    made += batch.length;
  }
  await db.query('analyze');
  return planted;
}

async function writeBatch(
  db: pg.Client,
  ruleSet: number,
  first: number,
  documents: readonly (readonly [string, string, string, number])[],
  pages: readonly Page[],
): Promise<void> {
  const columns = [0, 1, 2, 3].map((column) => documents.map((one) => one[column]!));
  await db.query(
    `with n as materialized (
       select n.*, md5('document ' || ($1::int + place))::uuid as job_id, sha256(int4send($1::int + place::int)) as sha256
       from unnest($2::text[], $3::text[], $4::date[], $5::int[]) with ordinality as n (source_id, kind, day, pages, place)
     ),
     j as (
       insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at,
         result_sha256, result_attempt)
       select job_id, sha256, $1 + place, source_id, kind, 'published', 6, sha256, day + interval '10 days', day, sha256, 2 from n
     ),
     d as (
       insert into docket.document_sources (job_id, source_id, ordinal, delivery_id, document_kind, document_date, captured_at,
         received_at, verified_at)
       select job_id, source_id, 1, $1 + place, kind, day, day, day, day from n
     ),
     r as (
       insert into docket.redactions (rule_set_id, job_id, attempt, page_count, mask_count, redacted_at)
       select $6, job_id, 2, pages, 0, day + interval '10 days' from n
     )
     insert into docket.results (job_id, result_sha256, config_sha256, attempt, pages_declared, pages_decoded, page_count,
       characters, confidence, warnings, recorded_at)
     select job_id, sha256, sha256, 2, pages, pages, pages, 0, 90, '{}', day from n`,
    [first - 1, ...columns, ruleSet],
  );
  await db.query(
    `insert into docket.redacted_pages (rule_set_id, job_id, attempt, page_no, width_px, height_px, dpi, rotation_degrees,
       angle_degrees, verdict, confidence, text, words, masks)
     select $1, md5('document ' || document)::uuid, 2, page_no, 1654, 2339, 200, 0, 0, 'text', 90, text, words, '[]'
     from unnest($2::int[], $3::int[], $4::text[], $5::json[]) as p (document, page_no, text, words)`,
    [
      ruleSet,
      pages.map((page) => page.document),
      pages.map((page) => page.pageNo),
      pages.map((page) => page.text),
      pages.map((page) => page.words),
    ],
  );
}
