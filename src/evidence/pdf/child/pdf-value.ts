/** A value of a PDF. Offsets are positions in the bytes that it was read from. */
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | readonly PdfValue[]
  | PdfDictionary
  | PdfStream;

export interface PdfName {
  readonly kind: 'name';
  /** Without the slash, and with its numbered letters resolved. */
  readonly name: string;
}

export interface PdfString {
  readonly kind: 'string';
  /** As written, with its brackets. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

export interface PdfReference {
  readonly kind: 'reference';
  readonly number: number;
  readonly generation: number;
}

export interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly entries: ReadonlyMap<string, PdfValue>;
  readonly start: number;
  readonly end: number;
}

export interface PdfStream {
  readonly kind: 'stream';
  readonly dictionary: PdfDictionary;
  /** Its data, as it stands in the file. */
  readonly data: Uint8Array;
}

const NOTHING: ReadonlyMap<string, PdfValue> = new Map();

function isKind<K extends 'name' | 'string' | 'reference' | 'dictionary' | 'stream'>(
  value: PdfValue | undefined,
  kind: K,
): value is Extract<PdfValue, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}

export function isArray(value: PdfValue | undefined): value is readonly PdfValue[] {
  return Array.isArray(value);
}

export function isReference(value: PdfValue | undefined): value is PdfReference {
  return isKind(value, 'reference');
}

export function isString(value: PdfValue | undefined): value is PdfString {
  return isKind(value, 'string');
}

export function isStream(value: PdfValue | undefined): value is PdfStream {
  return isKind(value, 'stream');
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return isKind(value, 'dictionary');
}

export function nameOf(value: PdfValue | undefined): string | undefined {
  return isKind(value, 'name') ? value.name : undefined;
}

/** The entries of a dictionary, or of that of a stream; none of anything else. */
export function entriesOf(value: PdfValue | undefined): ReadonlyMap<string, PdfValue> {
  if (isDictionary(value)) return value.entries;
  return isStream(value) ? value.dictionary.entries : NOTHING;
}

/** Whether a value is a stream that only holds other objects, or says where they are. */
export function isContainer(value: PdfValue): boolean {
  const type = isStream(value) ? nameOf(value.dictionary.entries.get('Type')) : undefined;
  return type === 'ObjStm' || type === 'XRef';
}

/** Whether two values say the same; references are the same if they name the same object, whatever that has become. */
export function isSame(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (isReference(a)) return isReference(b) && a.number === b.number && a.generation === b.generation;
  if (isString(a)) return isString(b) && a.raw === b.raw;
  if (isStream(a))
    return isStream(b) && isSame(a.dictionary, b.dictionary) && Buffer.compare(a.data, b.data) === 0;
  if (isDictionary(a)) {
    return (
      isDictionary(b) &&
      a.entries.size === b.entries.size &&
      [...a.entries].every(([key, value]) => b.entries.has(key) && isSame(value, b.entries.get(key)))
    );
  }
  const name = nameOf(a);
  return name !== undefined && name === nameOf(b);
}

/** Every object that a value refers to by itself, without following them. */
export function* referencesIn(value: PdfValue | undefined): Generator<number> {
  if (isReference(value)) yield value.number;
  else if (isArray(value)) for (const item of value) yield* referencesIn(item);
  else for (const item of entriesOf(value).values()) yield* referencesIn(item);
}

/** The objects that a list refers to beyond what it had; undefined if it lost anything, or got anything else. */
export function addedTo(old: PdfValue, now: PdfValue): readonly number[] | undefined {
  const kept = isArray(old) ? [...old] : [];
  const added = (isArray(now) ? now : []).filter(
    (item) => !isSame(item, kept[0]) || kept.shift() === undefined,
  );
  return kept.length === 0 && added.every(isReference) ? added.map(({ number }) => number) : undefined;
}
