import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { DocketError } from '../../errors.ts';
import { isoTime } from '../iso-time.ts';

/** Parameters by group; `model` is a text. */
type Parameters = Readonly<Record<string, unknown>>;

/** An OCR configuration as it stands now. */
export interface VersionState {
  readonly version: number;
  readonly role: string;
  /** Share of the documents begun now that it reads; null: none. */
  readonly share: number | null;
  readonly engine: string | null;
  readonly parameters: Parameters;
  readonly pins: Readonly<Record<string, string>>;
  readonly gates: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly trials: number;
  readonly compared: number;
  readonly reason: string;
  readonly added_by: string;
  readonly added_at: string;
  readonly withdrawn: { readonly at: string; readonly by: string; readonly because: string } | null;
}

/** All OCR configurations by number, or one of them. Throws OCR_VERSION_NOT_FOUND where there is not that one. */
export async function versionStates(reader: Kysely<Database>, version?: number): Promise<VersionState[]> {
  const rows = await reader
    .selectFrom('docket.ocr_version_states')
    .selectAll()
    .$if(version !== undefined, (query) => query.where('ocr_version', '=', version ?? 0))
    .orderBy('ocr_version')
    .execute();
  if (rows.length === 0) {
    throw new DocketError('OCR_VERSION_NOT_FOUND', `there is no OCR configuration ${String(version)}`, {
      hint: 'docket ocr list',
    });
  }
  return rows.map((row) => ({
    version: Number(row.ocr_version),
    role: String(row.role),
    share: row.share,
    engine: row.engine,
    parameters: row.parameters as Parameters,
    pins: row.pins as VersionState['pins'],
    gates: row.gates as VersionState['gates'],
    trials: Number(row.trials),
    compared: Number(row.compared),
    reason: String(row.reason),
    added_by: String(row.added_by),
    added_at: isoTime(String(row.added_at)),
    withdrawn:
      row.withdrawn_at === null
        ? null
        : {
            at: isoTime(row.withdrawn_at),
            by: String(row.withdrawn_by),
            because: String(row.withdrawn_because),
          },
  }));
}

/** Groups of values as `group.name=value`, one each; a value that stands alone as `name=value`. */
export function assignments(groups: Readonly<Record<string, unknown>>): string[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.entries(groups).flatMap(([group, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([name, inner]) => `${group}.${name}=${text(inner)}`)
      : [`${group}=${text(value)}`],
  );
}
