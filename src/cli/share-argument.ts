import { z } from 'zod';

/** A share as a person writes it: 0.05, or 5%. */
export const shareArgument = z
  .string()
  .transform((text) => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)))
  .refine(
    (share) => share > 0 && share <= 1,
    'expected a share above 0 and at most 1, or per cent such as 5%',
  );
