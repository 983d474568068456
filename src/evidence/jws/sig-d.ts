import { z } from 'zod';

/** The hashes of JAdES that are taken, as node:crypto names them. */
export const JADES_HASHES: Readonly<Record<string, string>> = {
  S256: 'sha256',
  S384: 'sha384',
  S512: 'sha512',
};

/** JAdES: what a signature without a payload was made over (ETSI TS 119 182-1, 5.2.8). */
export const SIG_D = z.object({
  mId: z.string(),
  pars: z.array(z.string()).min(1).max(100),
  hashM: z.string().optional(),
  hashV: z.array(z.string()).optional(),
});
export type SigD = z.infer<typeof SIG_D>;

const BY_URI = 'http://uri.etsi.org/19182/ObjectIdByURI';
const BY_HASH = 'http://uri.etsi.org/19182/ObjectIdByURIHash';

/** `document`: the document alone is the payload; `hashes`: the payload is empty, and the header holds digests instead. */
export type SignedObjects =
  | { readonly kind: 'document' }
  | { readonly kind: 'hashes'; readonly digest: string; readonly values: readonly string[] }
  | { readonly kind: 'unknown' };

/** How the document takes part in what was signed. */
export function signedObjects({ mId, pars, hashM = '', hashV = [] }: SigD): SignedObjects {
  if (mId === BY_URI && pars.length === 1) return { kind: 'document' };
  const digest = JADES_HASHES[hashM];
  return mId === BY_HASH && digest !== undefined && hashV.length === pars.length
    ? { kind: 'hashes', digest, values: hashV }
    : { kind: 'unknown' };
}
