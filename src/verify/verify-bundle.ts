// A bundle is verified by what is in it and by keys that came another way; there is no database. Format: docs/bundle.md.
import { readCheckpoint, type Checkpoint } from '../domain/checkpoint.ts';
import { isSignedBy, signaturesOf } from '../domain/signed-note.ts';
import { utf8 } from '../domain/utf8.ts';
import type { VerifierKey } from '../domain/verifier-key.ts';
import type { BundleFiles } from './bundle-files.ts';
import { hexOf } from './byte-reader.ts';
import { compared, judged, readOr, unchecked, type About, type Step } from './step.ts';
import { verifyDocument, type VerifiedDocument } from './verify-document.ts';

/** What the verifier trusts, none of it out of the bundle. */
export interface TrustedKeys {
  /** Keys of the log and of witnesses. */
  readonly logKeys?: readonly VerifierKey[];
  /** Keys of receipts, 32 bytes each. */
  readonly receiptKeys?: readonly Uint8Array[];
  /** Checkpoints that were kept outside. */
  readonly checkpoints?: readonly Checkpoint[];
}

/** What the whole rests on: a signature of a trusted key, the reader's own checkpoint, or nothing but itself. */
export type Trust = 'key' | 'checkpoint' | 'self-consistent';

export interface VerifiedBundle {
  /** Nothing failed. What it is worth, `trust` says. */
  readonly ok: boolean;
  readonly trust: Trust;
  readonly checkpoint: Checkpoint | undefined;
  /** Every step, those of documents too, in order. */
  readonly steps: readonly Step[];
  readonly documents: readonly VerifiedDocument[];
}

/** Recomputes everything in a bundle. Whatever is wrong with it is a step that failed; nothing is thrown. */
export function verifyBundle(bundle: BundleFiles, keys: TrustedKeys = {}): VerifiedBundle {
  const steps: Step[] = [];
  const sealed = readOr([null, 'checkpoint', 'form'], steps, () => {
    const note = utf8(bundle.files.get('checkpoint') ?? new Uint8Array());
    return { note, checkpoint: readCheckpoint(note) };
  });
  const checkpoint = sealed?.checkpoint;
  let trust: Trust = 'self-consistent';
  if (checkpoint) {
    const signed = checkSigners(checkpoint, keys.logKeys ?? []);
    const kept = (keys.checkpoints ?? []).map((one) => checkKept(checkpoint, one));
    steps.push(checkForm(bundle, checkpoint), ...signed, ...kept);
    if (kept.some(({ ok }) => ok)) trust = 'checkpoint';
    if (signed[0].ok === true) trust = 'key';
  }
  const documents = [...bundle.documents].map(([jobId, files]) =>
    verifyDocument(jobId, files, { sealed, receiptKeys: keys.receiptKeys ?? [] }),
  );
  if (documents.length === 0)
    steps.push(judged([null, 'documents', 'bundle'], false, 'none', 'one at least'));
  // Not pushed: a call takes some 100,000 arguments, and a bundle may have more steps.
  const all = [...steps, ...documents.flatMap((document) => document.steps)];
  return { ok: all.every(({ ok }) => ok !== false), trust, checkpoint, steps: all, documents };
}

function checkForm({ files }: BundleFiles, { origin }: Checkpoint): Step {
  const about: About = [null, 'format', 'bundle.json'];
  const steps: Step[] = [];
  const text = readOr(about, steps, () => utf8(files.get('bundle.json') ?? new Uint8Array()));
  return steps[0] ?? compared(about, text ?? '', bundleJson(origin));
}

/** The text of bundle.json: what kind of file it is, and of which log. */
export function bundleJson(origin: string): string {
  return `${JSON.stringify({ format: 'docket.bundle.1', origin })}\n`;
}

/** The signature of the log first, then those of the witnesses whose keys are given. */
function checkSigners(checkpoint: Checkpoint, keys: readonly VerifierKey[]): [Step, ...Step[]] {
  const about: About = [null, 'checkpoint signature', checkpoint.origin];
  const own = keys.filter(({ kind }) => kind === 'ed25519');
  const signing = own.filter(({ name }) => name === checkpoint.origin);
  const signer = signing.find((key) => isSignedBy(checkpoint, key));
  const found = checkpoint.signatures.map(({ name, keyId }) => `${name}+${keyId}`).join(', ');
  const wanted = own.map(({ name, keyId }) => `${name}+${keyId}`).join(' or ');
  const log =
    own.length === 0
      ? unchecked(
          about,
          'no key of the log was given, so the bundle agrees with itself, and no more is known',
        )
      : judged(
          about,
          signer !== undefined,
          signer ? `${signer.name}+${signer.keyId}` : `not by ${found}`,
          wanted,
        );
  const witnesses = keys
    .filter(({ kind }) => kind === 'cosignature')
    .map((key): Step => {
      const aboutIt: About = [null, 'witness', key.name];
      if (signaturesOf(checkpoint, key).length === 0)
        return unchecked(aboutIt, 'it has not cosigned this checkpoint');
      const isGood = isSignedBy(checkpoint, key);
      return judged(aboutIt, isGood, isGood ? key.keyId : 'a signature that does not fit', key.keyId);
    });
  return [log, ...witnesses];
}

/** Against the checkpoint that the reader kept: of one log and one size there is one root. */
function checkKept(checkpoint: Checkpoint, kept: Checkpoint): Step {
  const about: About = [null, 'kept checkpoint', `${kept.origin} ${String(kept.size)}`];
  if (kept.origin !== checkpoint.origin) return compared(about, checkpoint.origin, kept.origin);
  if (kept.size !== checkpoint.size) {
    return unchecked(
      about,
      `the bundle is of size ${String(checkpoint.size)}: only the database can prove that one grew from the other`,
    );
  }
  return compared(about, hexOf(checkpoint.root), hexOf(kept.root));
}
