import { z } from 'zod';

/** An address that something is sent to; the database says which ones may be. */
export const webhookUrl = z
  .string()
  .refine((url) => URL.canParse(url), { error: 'expected an address, with its https://' });

/** The number of a webhook, of receipts or of alerts. */
export const webhookNumber = z.coerce
  .number('expected the number of a webhook')
  .int()
  .positive()
  .max(2_147_483_647);
