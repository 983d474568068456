import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import type { Finding } from './finding.ts';

/** A login, or a group, that can take the place of docket_owner. */
export interface PossibleOwner {
  readonly login: string;
  readonly is_superuser: boolean;
}

/** Who can become the owner. */
export async function possibleOwners(reader: Kysely<Database>): Promise<PossibleOwner[]> {
  const { rows } = await sql<PossibleOwner>`
    select rolname as login, rolsuper as is_superuser
    from pg_roles
    where rolname not like 'pg\\_%' and rolname <> 'docket_owner'
      and (rolsuper or pg_has_role(oid, 'docket_owner', 'member'))
    order by rolname`.execute(reader);
  return rows;
}

/** That of somebody no more than one can be right: superusers always can, and the login that installs must. */
export function ownerFindings(owners: readonly PossibleOwner[], installer: string): Finding[] {
  const expected = owners.filter((one) => one.is_superuser || one.login === installer);
  const others = owners.filter((one) => !expected.includes(one));
  return [
    ...others.map(({ login }) => ({
      severity: 'warning' as const,
      what: `${login} can become docket_owner, and is neither a superuser nor the login that installs`,
      consequence: 'whoever uses it can change history; only a checkpoint kept elsewhere shows it',
      remedy: `revoke docket_owner from ${quoted(login)}`,
    })),
    ...(expected.length === 0
      ? []
      : [
          {
            severity: 'note' as const,
            what: `can change history: ${expected
              .map((one) => `${one.login}${one.is_superuser ? ', a superuser' : ''}`)
              .join('; ')}`,
            consequence: 'nothing in the database holds them back',
            remedy: 'keep checkpoints of the log where they cannot write: docs/checkpoints.md',
          },
        ]),
  ];
}

/** Hardening that is not in force; who can become the owner is told by itself. */
export function hardeningFindings(gaps: readonly { step: string; consequence: string }[]): Finding[] {
  return gaps
    .filter((gap) => !gap.step.endsWith('can become docket_owner'))
    .map(({ step, consequence }) => {
      const colon = step.indexOf(': ');
      const [what, statement] = colon < 0 ? [step] : [step.slice(0, colon), step.slice(colon + 2)];
      return {
        severity: 'warning',
        what: `not in force: ${what}`,
        consequence,
        remedy: statement === undefined ? 'docket migrate' : `as a superuser: ${statement}`,
      };
    });
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
