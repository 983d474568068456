/** How the program ends, for scripts. Documented in docs/cli.md; a number, once used, keeps its meaning. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  configuration: 3,
  database: 4,
  notFound: 5,
  refused: 6,
  /** Everything ended, but some documents are quarantined. */
  quarantined: 7,
  /** A check did not give what it must: a broken chain, an outcome other than expected. */
  checkFailed: 8,
  interrupted: 130,
} as const;

const BY_CODE: [RegExp, number][] = [
  [/^USAGE$/, EXIT.usage],
  [/^CONFIG_/, EXIT.configuration],
  [/^ZD(02[034]|07[37]|08[26]|093)$/, EXIT.notFound],
  [/^(DATABASE_DENIED|ZD.*|SOURCE_.*)$/, EXIT.refused],
  [/^(DATABASE_|CLUSTER_|SERVER_|MIGRATION_)/, EXIT.database],
  [/^(.*_NOT_FOUND|NOT_PUBLISHED)$/, EXIT.notFound],
  [
    /^(FILE_|STORE_|KEY_|OBJECT_|LOCATOR_|HASH_MISMATCH$|SIZE_MISMATCH$|DEMO_|LOADTEST_|RECEIPT_KEY$|NOT_SEALED$)/,
    EXIT.refused,
  ],
  [/^(RECEIPT_(INVALID|MALFORMED)|RECORD_BROKEN|BUNDLE_(MALFORMED|UNSOUND))$/, EXIT.checkFailed],
  [/^INTERRUPTED$/, EXIT.interrupted],
];

/** The exit code that tells of an error with this code. */
export function exitCodeOf(code: string): number {
  return BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? EXIT.internal;
}
