import { z } from 'zod';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };
const EXPECTED = 'expected a span such as 90s, 10m or 2h, a share such as 25% or 0.25, or none';

/**
 * A threshold as a person states it: a span in seconds, or a share between 0 and 1; `none` takes it away, and is null. A bare number is taken
 * as it is.
 */
export const thresholdArgument = z
  .string()
  .transform((text, context) => {
    if (text === 'none') return null;
    const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?(%|s|m|min|h|d|)$/.exec(text) ?? [];
    if (number !== '') return unit === '%' ? Number(number) / 100 : Number(number) * (SECONDS[unit] ?? 1);
    context.addIssue({ code: 'custom', message: EXPECTED });
    return z.NEVER;
  })
  .optional();
