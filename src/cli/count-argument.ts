import { z } from 'zod';

const COUNT = 'expected a whole number, or none';
const RATE = 'expected a number, or none';

/** A number as a person sets a limit; `none` takes the limit away, and is null. */
export const countArgument = z
  .union([z.literal('none').transform(() => null), z.coerce.number().int().min(0)], COUNT)
  .optional();

/** A rate likewise, which need not be whole. */
export const rateArgument = z
  .union([z.literal('none').transform(() => null), z.coerce.number().positive()], RATE)
  .optional();
