import { hardeningGaps } from '../../db/commands.ts';
import { connectionUrl, createPool } from '../../db/pools.ts';
import type { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { AssumedRole } from '../assumed-role.ts';
import { assumeRole } from '../assumed-role.ts';
import { toDocketError } from '../cli-error.ts';
import { connectionNeed, type ConnectionNeed } from '../connection-need.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { sealingFacts } from '../sealing-facts.ts';
import { typedQueries } from '../typed-queries.ts';
import type { Verification } from '../verify/verification.ts';
import { verify } from '../verify/verification.ts';
import { copyFindings, keptCopies } from './checkpoint-copies.ts';
import { clockFindings, compareClocks } from './clock.ts';
import { connectionFindings } from './connection-findings.ts';
import type { Examination } from './examination.ts';
import { leaseFindings, workersAtWork } from './leases.ts';
import { lostKeyFindings, recoveryKeyFindings } from './object-keys.ts';
import { hardeningFindings, ownerFindings, possibleOwners, type PossibleOwner } from './privileges.ts';
import { serverSettings, settingFindings } from './server-settings.ts';
import { signingFindings, signingStands, sealingFindings } from './signing.ts';
import { verificationFindings } from './verification-findings.ts';
import { databaseVersions, versionFindings } from './versions.ts';

/** What a database showed of itself; undefined what it did not. */
export interface SeenDatabase {
  readonly serverVersion: string | undefined;
  readonly owners: readonly PossibleOwner[] | undefined;
  readonly gaps: readonly { step: string; consequence: string }[] | undefined;
  readonly connections: ConnectionNeed | undefined;
  readonly verified: Verification | undefined;
  /** Why the record could not be verified. */
  readonly failure: DocketError | undefined;
}

/**
 * Every check that needs the database, one after the other; verification, which reads the whole log, last. `database` is without
 * limits of time, for that; whatever else is asked has one.
 */
export async function examineDatabase(
  examination: Examination,
  database: DatabaseAccess,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<SeenDatabase> {
  const { config } = database;
  const open = (role: AssumedRole) =>
    createPool({ url: assumeRole(connectionUrl(config, 'owner'), role), name: 'doctor', log, max: 1 });
  const [auditor, operator] = [open('docket_auditor'), open('docket_operator')];
  const reader = typedQueries(auditor);
  const { look, run } = examination;
  try {
    const versions = await look('versions', () => databaseVersions(reader), versionFindings);
    await look('settings of the server', () => serverSettings(reader), settingFindings);
    const owners = await look(
      'owners',
      () => possibleOwners(reader),
      async (found) => {
        const { rows } = await auditor.query<{ login: string }>('select session_user as login');
        return ownerFindings(found, rows[0]?.login ?? '');
      },
    );
    const gaps = await look('hardening', () => hardeningGaps(auditor), hardeningFindings);
    const connections = await look('connections', () => connectionNeed(reader, config), connectionFindings);
    await look('clocks', () => compareClocks(reader), clockFindings);
    await look('leases', () => workersAtWork(reader), leaseFindings);
    await run('keys of scans', () => lostKeyFindings(auditor, config));
    await run('recovery key', () => recoveryKeyFindings(operator, config));
    await look('sealing', () => sealingFacts(reader), sealingFindings);
    await look(
      'signing',
      () => signingStands(reader),
      (stands) => signingFindings(stands, config),
    );
    await look('copies of checkpoints', () => keptCopies(reader, config, signal), copyFindings);
    let failure: DocketError | undefined;
    const verified = await look(
      'verification',
      () =>
        verify(database, { signal }).catch((error: unknown) => {
          failure = toDocketError(error);
          throw failure;
        }),
      verificationFindings,
      { isLong: true },
    );
    return { serverVersion: versions?.server, owners, gaps, connections, verified, failure };
  } finally {
    await Promise.all([auditor.end(), operator.end()]);
  }
}
