import type { Config } from '../../config.ts';
import type { BucketProtection } from '../../store/s3-protection.ts';
import type { Finding } from './finding.ts';

type BucketConfig = Pick<Config, 's3Endpoint' | 's3Region' | 's3LockMode'>;

const PATIENCE = { idleMs: 5_000, tries: 2, delayMs: 200 };

/** Asks a bucket, `s3://BUCKET[/PREFIX]`, what it does against loss. The client of S3 is loaded only here. */
export async function askBucket(
  name: string,
  { s3Endpoint, s3Region, s3LockMode }: BucketConfig,
  signal: AbortSignal,
): Promise<BucketProtection> {
  const [{ createS3Client }, { bucketOf }, { bucketProtection }] = await Promise.all([
    import('../../store/s3-client.ts'),
    import('../../store/s3-store.ts'),
    import('../../store/s3-protection.ts'),
  ]);
  const { bucket } = bucketOf(name);
  const client = createS3Client({ endpoint: s3Endpoint, region: s3Region });
  try {
    return await bucketProtection(
      {
        client,
        bucket,
        prefix: '',
        beginning: `s3://${bucket}/`,
        draftFolder: '',
        lockMode: s3LockMode,
        patience: PATIENCE,
      },
      signal,
    );
  } finally {
    client.destroy();
  }
}

/** What a bucket of scans or of checkpoints lets others do. */
export function bucketFindings(
  name: string,
  holds: 'scans' | 'checkpoints',
  { hasObjectLock, hasVersions }: BucketProtection,
  lockMode: Config['s3LockMode'],
): Finding[] {
  if (hasObjectLock) {
    if (lockMode === 'compliance') return [];
    return [
      {
        severity: 'note',
        what: `locks in ${name} are of mode governance`,
        consequence: `whoever has s3:BypassGovernanceRetention may remove ${holds} before their time`,
        remedy: 'DOCKET_S3_LOCK_MODE=compliance, which nobody can undo, for what is put from then on',
      },
    ];
  }
  const lock = 'Object Lock is given to a bucket when it is made, or by its provider later: docs/objects.md';
  if (hasVersions) {
    return [
      {
        severity: 'warning',
        what: `${name} has versions, and no Object Lock`,
        consequence: `whoever may delete versions there may remove ${holds}, held or retained ones too`,
        remedy: lock,
      },
    ];
  }
  return [
    {
      severity: 'warning',
      what: `${name} has neither Object Lock nor versions`,
      consequence: `whoever may write there may remove or replace ${holds}, and nothing of them stays`,
      remedy: `aws s3api put-bucket-versioning --versioning-configuration Status=Enabled --bucket BUCKET; ${lock}`,
    },
  ];
}
