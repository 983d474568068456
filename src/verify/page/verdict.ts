import type { Step } from '../step.ts';
import type { VerifiedBundle } from '../verify-bundle.ts';
import type { TakenFile } from './taken-file.ts';

export type Scan = Extract<TakenFile, { kind: 'scan' }>;

/** All that was given, verified. */
export interface Findings {
  readonly bundles: readonly { readonly name: string; readonly verified: VerifiedBundle }[];
  /** Each scan that was given by itself, compared with the documents of the bundles. */
  readonly scans: readonly { readonly scan: Scan; readonly step: Step }[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/** What is said on top: in a colour, a few words, and a sentence. */
export interface Verdict {
  readonly tone: 'good' | 'bad' | 'open';
  readonly title: string;
  readonly reason: string;
}

/** Compares a scan with the documents of all bundles. */
export function compareScan(scan: Scan, bundles: readonly VerifiedBundle[]): Step {
  const documents = bundles.flatMap((bundle) => bundle.documents);
  const its = documents.find(({ sha256 }) => sha256 === scan.sha256);
  return {
    jobId: its?.jobId ?? null,
    name: 'scan',
    item: scan.name,
    ok: documents.length === 0 ? null : its !== undefined,
    computed: scan.sha256,
    expected: its?.sha256 ?? documents.map(({ sha256 }) => sha256).join(' or '),
    remark: documents.length === 0 ? 'no bundle was given to compare it with' : '',
  };
}

/** The worst that was found decides. Undefined where there is nothing to judge yet. */
export function verdictOf({ bundles, scans, refused }: Findings): Verdict | undefined {
  const steps = [...bundles.flatMap(({ verified }) => verified.steps), ...scans.map(({ step }) => step)];
  const failed = steps.filter(({ ok }) => ok === false);
  const [first] = failed;
  const [unread] = refused;
  if (unread) {
    return { tone: 'bad', title: 'A file cannot be read', reason: `${unread.name}: ${unread.why}.` };
  }
  if (first) {
    const more = failed.length === 1 ? '' : `, and ${failed.length - 1} more`;
    return {
      tone: 'bad',
      title: failed.length === 1 ? 'One check failed' : `${failed.length} checks failed`,
      reason: `Something was altered, or does not belong here: ${first.name}, ${first.item}${more}.`,
    };
  }
  if (bundles.length === 0) {
    return scans.length === 0
      ? undefined
      : {
          tone: 'open',
          title: 'Hashed, and compared with nothing yet',
          reason: 'Compare the SHA-256 with that of the certificate, or add the bundle of the document.',
        };
  }
  if (bundles.some(({ verified }) => verified.trust === 'self-consistent')) {
    return {
      tone: 'open',
      title: 'Self-consistent only',
      reason:
        'Everything in it fits together, but whoever made it could have made all of it up. Add the public key of the log, or a checkpoint, that you have by another way.',
    };
  }
  const left = steps.filter(({ ok }) => ok === null).length;
  const rest = left === 0 ? [] : [`What was not given, or cannot be checked here, is marked –: ${left}.`];
  return { tone: 'good', title: 'Everything fits', reason: [...bundles.map(trusted), ...rest].join(' ') };
}

function trusted({ name, verified: { trust, checkpoint } }: Findings['bundles'][number]): string {
  const log = `${checkpoint?.origin ?? ''} at size ${String(checkpoint?.size ?? '')}`;
  return trust === 'key'
    ? `${name}: the checkpoint of ${log} is signed by the key that you gave.`
    : `${name}: its checkpoint is the one that you kept, ${log}.`;
}
