import type { TrustMaterial } from '../evidence/certificates/trust-material.ts';

/** What a key, certificate or revocation list says of itself, by names as they are printed; null where it says nothing. */
export interface TrustFacts {
  readonly kind: TrustMaterial['kind'];
  readonly algorithm?: string;
  readonly subject?: string | null;
  readonly is_authority?: boolean;
  readonly not_before?: string;
  readonly not_after?: string;
  readonly issuer?: string;
  readonly this_update?: string;
  readonly next_update?: string | null;
  readonly revoked?: number;
  readonly sha256: string;
}

export function trustFacts(material: TrustMaterial): TrustFacts {
  const { kind, sha256 } = material;
  switch (kind) {
    case 'key':
      return { kind, algorithm: material.algorithm, sha256 };
    case 'certificate':
      return {
        kind,
        subject: material.subject,
        algorithm: material.algorithm,
        is_authority: material.isAuthority,
        not_before: material.notBefore.toISOString(),
        not_after: material.notAfter.toISOString(),
        sha256,
      };
    case 'revocation_list':
      return {
        kind,
        issuer: material.issuer,
        this_update: material.thisUpdate.toISOString(),
        next_update: material.nextUpdate?.toISOString() ?? null,
        revoked: material.revoked,
        sha256,
      };
  }
}
