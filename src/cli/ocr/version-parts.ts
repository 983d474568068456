import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import type { Overrides } from '../../ocr/parameter-overrides.ts';
import { parseOverrides } from '../../ocr/parameter-overrides.ts';
import { ORIENTATION, PREPARATION, RASTERISATION, SECOND_READING } from '../../ocr/parameters.ts';
import { refuseFile } from '../scan-files.ts';

const gate = z.strictObject({ min_characters: z.number().optional(), min_confidence: z.number().optional() });

/** The form that `docket ocr show NUMBER --json` prints; what that says beside is left out of account. */
const file = z.object({
  engine: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  pins: z.record(z.string(), z.string()).optional(),
  gates: z.record(z.string(), gate).default({}),
});

/** What makes an OCR configuration: what differs from what Docket comes with. */
export interface VersionParts {
  /** Null: for whichever engine a worker has. Undefined: nothing is said of it. */
  readonly engine: string | null | undefined;
  readonly parameters: Overrides;
  /** Undefined where nothing is said of pins. */
  readonly pins: Readonly<Record<string, string>> | undefined;
  readonly gates: Readonly<Record<string, z.infer<typeof gate>>>;
}

const BUILT_IN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  preparation: PREPARATION,
  orientation: ORIENTATION,
  secondReading: SECOND_READING,
  rasterisation: RASTERISATION,
};

/**
 * Reads what is said of a configuration: a file, and over it `group.name=value` and `kind.gate=value` of the command line.
 * Throws USAGE that names what is no parameter, or out of its bounds; FILE_… where the file cannot be read.
 */
export async function versionParts(said: {
  file?: string | undefined;
  set: readonly string[];
  gate: readonly string[];
}): Promise<VersionParts> {
  const given = said.file === undefined ? file.parse({}) : await readVersionFile(said.file);
  const parameters = structuredClone(given.parameters);
  for (const assignment of said.set) {
    const [path, text] = assignmentOf(assignment, '--set', 'preparation.targetDpi=300');
    place(parameters, path, valueOf(path, text), assignment);
  }
  const gates: Record<string, unknown> = structuredClone(given.gates);
  for (const assignment of said.gate) {
    const [path, text] = assignmentOf(assignment, '--gate', 'bill_of_lading.min_confidence=55');
    const value = Number(text);
    if (path.length !== 2 || text.trim() === '' || Number.isNaN(value)) {
      throw wrong('--gate', assignment, 'bill_of_lading.min_confidence=55');
    }
    place(gates, path, value, assignment);
  }
  return {
    engine: given.engine,
    parameters: checked(() => parseOverrides(parameters)),
    pins: given.pins,
    gates: checked(() => z.record(z.string(), gate).parse(gates)),
  };
}

async function readVersionFile(path: string): Promise<z.infer<typeof file>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => refuseFile(path, error));
  return checked(() => file.parse(JSON.parse(text)), path);
}

/** `a.b=c` as path and value; the value may hold anything. */
function assignmentOf(assignment: string, option: string, example: string): [path: string[], value: string] {
  const at = assignment.indexOf('=');
  const path = assignment.slice(0, Math.max(at, 0)).split('.');
  if (at < 1 || path.length > 2 || path.includes('')) throw wrong(option, assignment, example);
  return [path, assignment.slice(at + 1)];
}

/** A parameter that is text stays text, as all are that Tesseract gets; anything else is what it is as JSON, or text where it is not. */
function valueOf([group = '', name = '']: readonly string[], text: string): unknown {
  if (group === 'tesseract' || typeof BUILT_IN[group]?.[name] === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function place(within: Record<string, unknown>, path: readonly string[], value: unknown, said: string): void {
  const [group = '', name] = path;
  if (name === undefined) {
    within[group] = value;
    return;
  }
  const names = Object.hasOwn(within, group) ? within[group] : {};
  if (typeof names !== 'object' || names === null) {
    throw new DocketError('USAGE', `${said}: "${group}" is no group of parameters`);
  }
  within[group] = { ...names, [name]: value };
}

function wrong(option: string, said: string, example: string): DocketError {
  return new DocketError('USAGE', `${option}: expected something such as ${example}, not "${said}"`, {
    hint: 'docket ocr add --help',
  });
}

function checked<Read>(read: () => Read, from?: string): Read {
  try {
    return read();
  } catch (cause) {
    const message =
      cause instanceof z.ZodError
        ? z.prettifyError(cause)
        : cause instanceof Error
          ? cause.message
          : String(cause);
    throw new DocketError('USAGE', from === undefined ? message : `${from}: ${message}`, {
      cause,
      hint: 'see docs/ocr-configurations.md',
    });
  }
}
