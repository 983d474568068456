import { readFileSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import type { SqlFiles } from '../../db/sql-files.ts';
import { checksumOf, readSqlFiles } from '../../db/sql-files.ts';
import type { Finding } from './finding.ts';

/** What a database says of the programs that made it, and that run it. */
export interface DatabaseVersions {
  readonly server: string;
  readonly serverMajor: number;
  /** Names of migrations that it has and that this package does not know. */
  readonly unknown: readonly string[];
  /** Names of migrations of this package that it has not. */
  readonly missing: readonly string[];
  /** Names of migrations that have another text there. */
  readonly edited: readonly string[];
  /** Whether the last SQL that was applied, definitions included, is that of this package. */
  readonly isOfThisPackage: boolean;
}

/** On which the tests run. */
const TESTED = { oldest: 16, newest: 18 } as const;

/** Reads what the database is, beside what this package would have made of it. */
export async function databaseVersions(
  reader: Kysely<Database>,
  files?: SqlFiles,
): Promise<DatabaseVersions> {
  const own = files ?? (await readSqlFiles());
  const { rows } = await sql<{ server: string; number: number }>`
    select current_setting('server_version') as server,
      current_setting('server_version_num')::integer as number`.execute(reader);
  const applied = await reader.selectFrom('docket.migrations').select(['name', 'sha256']).execute();
  const last = await reader
    .selectFrom('docket.replays')
    .select('sha256')
    .orderBy('replay_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const known = new Map(own.migrations.map((file) => [file.name, file.sha256]));
  const there = new Set(applied.map((one) => one.name));
  return {
    server: rows[0]?.server ?? '',
    serverMajor: Math.floor((rows[0]?.number ?? 0) / 10_000),
    unknown: applied.map((one) => one.name).filter((name) => !known.has(name)),
    missing: [...known.keys()].filter((name) => !there.has(name)),
    edited: applied
      .filter((one) => known.has(one.name) && known.get(one.name) !== one.sha256)
      .map((one) => one.name),
    isOfThisPackage: last?.sha256 === checksumOf(own),
  };
}

/** Whether server and schema fit this package. */
export function versionFindings(versions: DatabaseVersions): Finding[] {
  const { server, serverMajor, unknown, missing, edited, isOfThisPackage } = versions;
  return [
    ...(serverMajor > TESTED.newest
      ? [
          {
            severity: 'warning' as const,
            what: `Postgres ${server} is newer than any that this version was tested on`,
            consequence: 'commands and checks may behave otherwise than tested',
            remedy: `run Postgres ${TESTED.oldest} to ${TESTED.newest}, or a newer Docket`,
          },
        ]
      : []),
    ...(serverMajor < TESTED.oldest
      ? [
          {
            severity: 'problem' as const,
            what: `Postgres ${server} is older than ${TESTED.oldest}`,
            consequence: 'it is not supported: migrations and commands fail',
            remedy: `upgrade the server to Postgres ${TESTED.oldest} or newer`,
          },
        ]
      : []),
    ...schemaFindings({ unknown, missing, edited, isOfThisPackage }),
  ];
}

function schemaFindings({
  unknown,
  missing,
  edited,
  isOfThisPackage,
}: Pick<DatabaseVersions, 'unknown' | 'missing' | 'edited' | 'isOfThisPackage'>): Finding[] {
  if (unknown.length > 0) {
    return [
      {
        severity: 'problem',
        what: `the database is of a newer Docket: this package does not know ${named(unknown)}`,
        consequence: 'what this program asks for may be gone or mean something else',
        remedy: 'run the version of Docket that migrated it, here and on every host',
      },
    ];
  }
  if (missing.length > 0) {
    return [
      {
        severity: 'problem',
        what: `the database is of an older Docket: it lacks ${named(missing)}`,
        consequence: 'workers and servers of this version fail on it',
        remedy: 'docket migrate',
      },
    ];
  }
  if (edited.length > 0) {
    return [
      {
        severity: 'problem',
        what: `migrations were applied with another text than they have here: ${named(edited)}`,
        consequence: 'nobody knows which tables there are, and docket migrate refuses (ZD050)',
        remedy: 'restore these files from the package, or find out who made the database',
      },
    ];
  }
  if (isOfThisPackage) return [];
  return [
    {
      severity: 'problem',
      what: 'the functions and views in the database are those of another build of Docket',
      consequence: 'commands may decide otherwise than this program expects',
      remedy: 'docket migrate',
    },
  ];
}

/** Whether this Node is one that the package says it needs. */
export function nodeFindings(running: string = process.versions.node, needed = neededNode()): Finding[] {
  const [least = 0, minor = 0] = needed.replace(/^\D*/, '').split('.').map(Number);
  const [major = 0, runningMinor = 0] = running.split('.').map(Number);
  if (major > least || (major === least && runningMinor >= minor)) return [];
  return [
    {
      severity: 'problem',
      what: `Node ${running} is older than this version needs (${needed})`,
      consequence: 'the sandbox, the store or the program itself may fail in ways that were never tested',
      remedy: `install Node ${needed}`,
    },
  ];
}

/** `>=22.18`, as the package says. */
function neededNode(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { engines: { node: string } }).engines.node;
}

function named(names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? first : `${first} and ${names.length - 1} more`;
}
