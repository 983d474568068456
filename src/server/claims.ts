import type { Identity } from './identity.ts';

/**
 * What the database is told of an identity, for one transaction: the role to act as, and the claims that its policies read.
 * It believes them from the gateway's login alone.
 */
export function settingsOf({ subject, role, sources }: Identity): Record<string, string> {
  return {
    role: `docket_${role}`,
    'docket.claims': JSON.stringify({ sub: subject, role, sources }),
  };
}
