import { z } from 'zod';

const NUMBER = 'expected the number of a trial';

/** A trial as a person names it: by its number. */
export const trialArgument = z.coerce.number(NUMBER).int(NUMBER).min(1, NUMBER).max(2_147_483_647, NUMBER);
