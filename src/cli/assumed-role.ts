import { withSetting } from '../db/pools.ts';

/** The groups of people and applications that the command line acts as: never with more rights than a verb needs. */
export type AssumedRole = 'docket_app' | 'docket_operator' | 'docket_evidence_owner' | 'docket_auditor';

/** The connection string with the role set for its sessions, beside the settings it has. */
export function assumeRole(url: string, role: AssumedRole): string {
  return withSetting(url, 'role', role);
}
