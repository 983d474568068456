/** A document that was published while a level was measured. */
export interface FinishedDocument {
  readonly pages: number;
  /** Pixels an inch of its pages, the middle one of them. */
  readonly dpi: number;
  /** From accepted to published. */
  readonly ageSeconds: number;
  /** Of the attempt that recognised it. */
  readonly recognitionSeconds: number;
}

/** What was measured with so many slots, after they had all begun to work. */
export interface LevelMeasure {
  readonly slots: number;
  readonly seconds: number;
  /** Published, in the order of their ends. */
  readonly documents: readonly FinishedDocument[];
  readonly quarantined: number;
  /** Of this process and all that it started; undefined where the system does not say. */
  readonly cpuSeconds: number | undefined;
  /** Of the embedded server of Postgres likewise; undefined where the database is elsewhere. */
  readonly databaseCpuSeconds: number | undefined;
  /** Share of all cores of this host, 0 to 1, whoever used them. */
  readonly hostBusy: number;
  readonly hostCores: number;
  /** Resident at one moment, at most: this process and all that it started, and the largest of those. */
  readonly residentMb: number | undefined;
  readonly largestChildMb: number | undefined;
  /** What kept slots closed at the end of the level, such as memory. */
  readonly heldBack: readonly string[];
}

/** Pages that were published at a level. */
export function pagesOf({ documents }: Pick<LevelMeasure, 'documents'>): number {
  return documents.reduce((sum, { pages }) => sum + pages, 0);
}

/** Pages a second of a level. */
export function pagesPerSecond(level: Pick<LevelMeasure, 'documents' | 'seconds'>): number {
  return pagesOf(level) / level.seconds;
}

/** Share of all cores that was used by others than the test, 0 to 1; undefined where the system does not say. */
export function othersBusy(level: Omit<LevelMeasure, 'documents'>): number | undefined {
  const { cpuSeconds, databaseCpuSeconds = 0, seconds, hostBusy, hostCores } = level;
  if (cpuSeconds === undefined) return undefined;
  return Math.max(0, hostBusy - (cpuSeconds + databaseCpuSeconds) / (seconds * hostCores));
}

/** Fewer documents at a level than this say little, however few there are to be replayed. */
const LEAST_DOCUMENTS = 20;

/**
 * How many times as long the test would have to be for each level to see all of the different documents once; 1 or less if each has.
 * Until then levels did different work, as slow ones came less far.
 */
export function missingTime(
  levels: readonly Pick<LevelMeasure, 'documents' | 'quarantined'>[],
  different: number,
): number {
  const fewest = Math.min(...levels.map(({ documents, quarantined }) => documents.length + quarantined));
  return Math.max(LEAST_DOCUMENTS, different) / Math.max(1, fewest);
}
