// Whether the code in the database is that of this package: a verifier that was replaced says what it is told to.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogText } from './catalog-text.ts';
import type { Queryable } from './commands.ts';
import { sqlFolder } from './sql-files.ts';

/** One answer of a verification, as the functions of sql/definitions/65_verification give them. */
export interface CheckedRow {
  checked: string;
  checked_count: string;
  failed_count: string;
  first_offender: string | null;
  expected: string | null;
  found: string | null;
}

interface Kind {
  /** Section of the catalog text. */
  readonly title: string;
  /** Where an object of this kind begins. */
  readonly begins: RegExp;
  /** Its name, in its text. */
  readonly names: RegExp;
}

const KINDS: readonly Kind[] = [
  {
    title: 'functions',
    begins: /^(?=-- owner \S+\nCREATE OR REPLACE )/m,
    names: /^CREATE OR REPLACE (?:FUNCTION|PROCEDURE) (.*)$/m,
  },
  { title: 'triggers', begins: /^(?=CREATE (?:CONSTRAINT )?TRIGGER )/m, names: /TRIGGER (\S+ .* ON \S+)/ },
  { title: 'views', begins: /^(?=view \S+ owner )/m, names: /^view (\S+)/ },
  { title: 'policies', begins: /^(?=policy )/m, names: /^policy (\S+ on \S+)/ },
  { title: 'constraints', begins: /^(?=constraint )/m, names: /^constraint (\S+)/ },
  { title: 'rules of the state machine', begins: /^(?=\S)/m, names: /^(.*?) by/ },
];

/** Longer ones are told by their hash. */
const SHORT = 160;

/**
 * Compares functions, triggers, views, policies, constraints and rules of the state machine with those that a migration by
 * this package makes. Who may use them is not compared: an installation may grant more.
 */
export async function checkInstalledCode(db: Queryable): Promise<CheckedRow[]> {
  const packaged = await readFile(join(sqlFolder, 'snapshot.sql'), 'utf8');
  const installed = await catalogText(
    db,
    KINDS.map((kind) => kind.title),
  );
  return KINDS.map((kind) => compare(kind, objectsOf(packaged, kind), objectsOf(installed, kind)));
}

function compare(
  { title }: Kind,
  expected: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): CheckedRow {
  const names = [...new Set([...expected.keys(), ...found.keys()])].sort();
  const different = names.filter((name) => expected.get(name) !== found.get(name));
  const [first] = different;
  return {
    checked: `installed ${title}`,
    checked_count: String(names.length),
    failed_count: String(different.length),
    first_offender: first ?? null,
    expected: first === undefined ? null : shown(expected.get(first)),
    found: first === undefined ? null : shown(found.get(first)),
  };
}

/** The objects of a kind by name, without their grants. */
function objectsOf(catalog: string, { title, begins, names }: Kind): Map<string, string> {
  const section = new RegExp(`^-- ${title}\\n\\n([^]*?)(?=\\n-- [a-z ]+\\n\\n|$(?![^]))`, 'm');
  const text = (section.exec(catalog)?.[1] ?? '')
    .replace(/^(-- owner \S+), grants .*$/gm, '$1')
    .replace(/^(view .*)\n {2}grants .* as$/gm, '$1 as');
  const objects = text.split(begins).filter((object) => object.trim() !== '');
  return new Map(objects.map((object) => [names.exec(object)?.[1] ?? object.trim(), object.trim()]));
}

function shown(object: string | undefined): string {
  if (object === undefined) return 'none';
  if (object.length <= SHORT && !object.includes('\n')) return object;
  return `SHA-256 ${createHash('sha256').update(object).digest('hex')}`;
}
