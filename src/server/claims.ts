import type { Identity } from './identity.ts';

/**
 * What the database is told for one transaction: the role to act as, the claims that its policies read, which it believes
 * from the gateway's login alone, and that nothing is to be written by what only asks.
 */
export function settingsOf(
  { subject, role, sources }: Identity,
  { readOnly = false }: { readOnly?: boolean } = {},
): Record<string, string> {
  return {
    role: `docket_${role}`,
    'docket.claims': JSON.stringify({ sub: subject, role, sources }),
    ...(readOnly ? { transaction_read_only: 'on' } : {}),
  };
}
