import type { Overrides } from './parameter-overrides.ts';
import { MODEL, ORIENTATION, PREPARATION, RASTERISATION, SECOND_READING, TESSERACT } from './parameters.ts';

type Widened<Value> = Value extends number
  ? number
  : Value extends string
    ? string
    : Value extends readonly [number, number]
      ? readonly [number, number]
      : Value extends readonly number[]
        ? readonly number[]
        : { readonly [Key in keyof Value]: Widened<Value[Key]> };

/** All that pages are prepared and read by. */
export interface Parameters {
  readonly model: string;
  readonly tesseract: Readonly<Record<string, string>>;
  readonly preparation: Widened<typeof PREPARATION>;
  readonly orientation: Widened<typeof ORIENTATION>;
  readonly secondReading: Widened<typeof SECOND_READING>;
  readonly rasterisation: Widened<typeof RASTERISATION>;
}

/** The built-in parameters, with those that an OCR configuration sets in their places. */
export function effectiveParameters(overrides: Overrides): Parameters {
  return {
    model: overrides.model ?? MODEL,
    tesseract: { ...TESSERACT, ...overrides.tesseract },
    preparation: { ...PREPARATION, ...overrides.preparation },
    orientation: { ...ORIENTATION, ...overrides.orientation },
    secondReading: { ...SECOND_READING, ...overrides.secondReading },
    rasterisation: { ...RASTERISATION, ...overrides.rasterisation },
  } as Parameters;
}
