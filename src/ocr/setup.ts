import { DocketError } from '../errors.ts';
import { parseOverrides } from './parameter-overrides.ts';
import type { Overrides } from './parameter-overrides.ts';

/** An OCR configuration as an engine needs it to read by it. */
export interface OcrSetup {
  /** Its number in docket.ocr_versions. */
  readonly version: number;
  /** Name of the engine that it is for, with or without its version; null: any. */
  readonly engine: string | null;
  /** What differs from the built-in parameters. */
  readonly parameters: Overrides;
  /** What the engine must say of itself, by the names of ChildFacts. */
  readonly pins: Readonly<Record<string, string>>;
}

/** What the engine that recognises nothing calls itself. */
export const NULL_ENGINE = 'null';

/** What Docket comes with. */
export const BUILT_IN: OcrSetup = { version: 1, engine: null, parameters: {}, pins: {} };

/** A row of docket.ocr_setup. */
export interface OcrSetupRow {
  readonly ocr_version: number;
  readonly engine: string | null;
  readonly parameters: unknown;
  readonly pins: unknown;
}

/**
 * Reads a row of docket.ocr_setup. Throws OCR_UNAVAILABLE where this release cannot read by it: it has parameters that are not
 * known here, or have other bounds.
 */
export function toOcrSetup({ ocr_version: version, engine, parameters, pins }: OcrSetupRow): OcrSetup {
  try {
    return { version, engine, parameters: parseOverrides(parameters), pins: pins as OcrSetup['pins'] };
  } catch (error) {
    throw refuseSetup(version, [error instanceof Error ? error.message : String(error)]);
  }
}

/**
 * Sees to it that an engine of which these facts are true may read by the setup. Throws OCR_UNAVAILABLE that names each
 * difference: it says something of the engine, and nothing of a document.
 */
export function requireEngineOf(
  { version, engine, parameters, pins }: OcrSetup,
  facts: { readonly engine: string },
): void {
  const stated = new Map<string, unknown>(Object.entries(facts));
  const differences = Object.entries(pins)
    .filter(([name, value]) => stated.get(name) !== value)
    .map(([name, value]) => `its ${name} is pinned to ${value}, and here it is ${said(stated.get(name))}`);
  if (engine !== null && engine !== facts.engine && !facts.engine.startsWith(`${engine} `))
    differences.unshift(`it is for the engine ${engine}, and here it is ${facts.engine}`);
  if (parameters.null !== undefined && facts.engine !== NULL_ENGINE)
    differences.push(`its parameters of the group null are for an engine that recognises nothing`);
  if (differences.length > 0) throw refuseSetup(version, differences);
}

/** OCR_UNAVAILABLE because of what the setup asks for, as opposed to an engine that does not start. */
export function isRefusedSetup(error: unknown): boolean {
  return error instanceof DocketError && Array.isArray(error.data['differences']);
}

/** OCR_UNAVAILABLE that says why nothing is read by a configuration here. */
export function refuseSetup(version: number, differences: readonly string[]): DocketError {
  return new DocketError(
    'OCR_UNAVAILABLE',
    `nothing is read by OCR configuration ${version} here: ${differences.join('; ')}`,
    {
      hint: 'install the release that it was made for on this host, or have another configuration read',
      data: { ocrVersion: version, differences },
    },
  );
}

function said(fact: unknown): string {
  return typeof fact === 'string' ? fact : 'not stated';
}
