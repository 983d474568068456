import { z } from 'zod';
import { fromBase64, fromBase64url } from '../base64.ts';
import { readJsonObject } from '../json-object.ts';

/** What JAdES lets anybody add to a signature later (`etsiU`). */
export interface AddedProperties {
  /** Time-stamps over the signature, as DER. */
  readonly timeStamps: readonly Buffer[];
  readonly hasOthers: boolean;
}

const TIME_STAMPS = z.object({
  sigTst: z.object({ tstTokens: z.array(z.object({ val: z.string() })).min(1) }),
});

/** Reads what was added: each part an object, or the base64url of one. What cannot be read is one of the others. */
export function readAddedProperties(etsiU: readonly unknown[]): AddedProperties {
  const timeStamps: Buffer[] = [];
  let hasOthers = false;
  for (const part of etsiU) {
    const value = typeof part === 'string' ? readJsonObject(fromBase64url(part) ?? Buffer.alloc(0)) : part;
    const stamps = TIME_STAMPS.safeParse(value);
    const tokens = stamps.data?.sigTst.tstTokens.map(({ val }) => fromBase64(val)) ?? [null];
    timeStamps.push(...tokens.filter((token) => token !== null));
    if (tokens.includes(null)) hasOthers = true;
  }
  return { timeStamps, hasOthers };
}
