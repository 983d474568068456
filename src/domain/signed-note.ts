// Signed notes by C2SP signed-note: a text, an empty line, and lines of signatures. Written from the specification, not from the SQL.
import { bytesOfBase64 } from './canonical-base64.ts';
import { isEd25519Signature } from './ed25519.ts';
import { utf8 } from './utf8.ts';
import { isKeyName, type VerifierKey } from './verifier-key.ts';

export interface NoteSignature {
  readonly name: string;
  /** Four bytes in hex. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface SignedNote {
  /** What is signed, with its last line break. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A note is refused above either: nothing that is meant well comes near. */
const MOST_BYTES = 1_048_576;
const MOST_SIGNATURES = 100;

const LINE_OF_SIGNATURE = /^— ([^ ]+) ([^ ]+)$/u;

/** Takes a note apart, whoever signed it. Throws SyntaxError saying what is wrong with it. */
export function readNote(note: string | Uint8Array): SignedNote {
  const whole = typeof note === 'string' ? note : utf8(note, 'the note');
  if (!whole.isWellFormed()) throw new SyntaxError('the note is not UTF-8');
  if (Buffer.byteLength(whole) > MOST_BYTES) throw new SyntaxError('the note is too long');
  if (/[\u0000-\u0009\u000b-\u001f]/.test(whole)) {
    throw new SyntaxError('the note has control characters, such as carriage returns, in it');
  }
  // The last empty line ends the text, which may have others.
  const end = whole.lastIndexOf('\n\n');
  if (end < 0) throw new SyntaxError('the note has no empty line before its signatures');
  const signed = whole.slice(end + 2);
  if (!signed.endsWith('\n')) throw new SyntaxError('the last line of the note does not end');
  const lines = signed.slice(0, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) throw new SyntaxError('the note has too many signatures');
  return { text: whole.slice(0, end + 1), signatures: lines.map(signatureOfLine) };
}

/**
 * Whether a key signed the note: there is a signature of its name and id, and each such one is good. A key of a witness signs
 * that it saw the text at a time (C2SP tlog-cosignature).
 */
export function isSignedBy(note: SignedNote, key: VerifierKey): boolean {
  const its = signaturesOf(note, key);
  return its.length > 0 && its.every(({ signature }) => isGood(note.text, signature, key));
}

/** The signatures that state the name and the id of a key, good or not. */
export function signaturesOf({ signatures }: SignedNote, key: VerifierKey): NoteSignature[] {
  return signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
}

/** The line of a signature, with its line break, to put behind a text and an empty line. */
export function signatureLine(key: VerifierKey, signature: Uint8Array): string {
  return `— ${key.name} ${Buffer.concat([Buffer.from(key.keyId, 'hex'), signature]).toString('base64')}\n`;
}

function isGood(text: string, signature: Uint8Array, key: VerifierKey): boolean {
  if (key.kind === 'ed25519') return isEd25519Signature(key.publicKey, Buffer.from(text), signature);
  if (signature.length !== 8 + 64) return false;
  const time = Buffer.from(signature).readBigUInt64BE();
  const seen = Buffer.from(`cosignature/v1\ntime ${String(time)}\n${text}`);
  return time < 2n ** 63n && isEd25519Signature(key.publicKey, seen, signature.subarray(8));
}

function signatureOfLine(line: string): NoteSignature {
  const [, name = '', base64 = ''] = LINE_OF_SIGNATURE.exec(line) ?? [];
  const bytes = bytesOfBase64(base64);
  if (!isKeyName(name) || !bytes || bytes.length <= 4) {
    throw new SyntaxError('a line after the empty line of the note is no signature');
  }
  return {
    name,
    keyId: Buffer.from(bytes.subarray(0, 4)).toString('hex'),
    signature: bytes.subarray(4),
  };
}
