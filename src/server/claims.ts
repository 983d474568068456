import type { Identity, TokenRole } from './identity.ts';

/** The group role of the database that each bearer acts as. */
const GROUPS: Readonly<Record<TokenRole, string>> = {
  analyst: 'docket_analyst',
  operator: 'docket_operator',
  evidence_owner: 'docket_evidence_owner',
  auditor: 'docket_auditor',
  sender: 'docket_app',
};

/**
 * What the database is told for one transaction: the role to act as, the claims that its policies read, which it believes
 * from the gateway's login alone, and that nothing is to be written by what only asks.
 */
export function settingsOf(
  { subject, role, sources }: Identity,
  { readOnly = false }: { readOnly?: boolean } = {},
): Record<string, string> {
  return {
    role: GROUPS[role],
    'docket.claims': JSON.stringify({ sub: subject, role, sources }),
    ...(readOnly ? { transaction_read_only: 'on' } : {}),
  };
}
