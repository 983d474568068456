import { effectiveParameters } from '../effective-parameters.ts';
import type { Overrides } from '../parameter-overrides.ts';
import { OVERRIDES_OPTION } from '../protocol.ts';

/**
 * What this process reads by, for all its life: the built-in parameters and what its command line sets otherwise, which its
 * parent has checked. Whoever needs a parameter in the child takes it from here.
 */
const given = process.argv.find((word) => word.startsWith(OVERRIDES_OPTION))?.slice(OVERRIDES_OPTION.length);

export const PARAMETERS = effectiveParameters(JSON.parse(given ?? '{}') as Overrides);

export const {
  preparation: PREPARATION,
  orientation: ORIENTATION,
  secondReading: SECOND_READING,
  rasterisation: RASTERISATION,
} = PARAMETERS;
