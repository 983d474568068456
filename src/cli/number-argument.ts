import { z } from 'zod';

/** The number by which a person names something, from 1 to what the database numbers it up to; `thing` is `a trial`. */
export function numberArgument(thing: string, most = 2_147_483_647): z.ZodCoercedNumber {
  const expected = `expected the number of ${thing}`;
  return z.coerce.number(expected).int(expected).min(1, expected).max(most, expected);
}
