import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { checkpointText, readCheckpoint } from '../../src/domain/checkpoint.ts';
import { isConsistent, isIncluded } from '../../src/domain/merkle.ts';
import { isSignedBy, readNote, signatureLine } from '../../src/domain/signed-note.ts';
import { formatVerifierKey, readVerifierKey, verifierKey } from '../../src/domain/verifier-key.ts';
import { consistencyByDefinition, pathByDefinition, rootByDefinition } from '../sql/merkle-tree.ts';
import { line, log, MALFORMED, newKey, NOTE, ODD, root, text, witnessed } from './notes.ts';
import { NOTES, noVectors, tesseraLog, vector, vectorPath } from './tlog-corpus.ts';

test('every note of the corpus is judged as its index says', { skip: noVectors }, () => {
  const key = readVerifierKey(vector('signed-note/cp_ok_size1000.vkeys.txt').toString());
  const names = readdirSync(vectorPath('signed-note')).filter((name) => name.endsWith('.note'));
  assert.deepEqual(names.sort(), Object.keys(NOTES).sort());
  for (const [name, expected] of Object.entries(NOTES)) {
    const note = vector('signed-note', name);
    if (expected === 'malformed') assert.throws(() => readCheckpoint(note), SyntaxError, name);
    else assert.equal(isSignedBy(readCheckpoint(note), key), expected === 'good', name);
  }
});

test('the example of the specification reads as it says', { skip: noVectors }, () => {
  const example = readCheckpoint(vector('signed-note/c2sp_checkpoint_example_nokey.note'));
  assert.equal(example.origin, 'example.com/behind-the-sofa');
  assert.equal(example.size, 20_852_163n);
  assert.deepEqual(
    example.signatures.map(({ name, keyId, signature }) => [name, keyId, signature.length]),
    [
      ['example.com/behind-the-sofa', '033de0ae', 64],
      ['witness.example.com/w1', '8d66cf3f', 72],
    ],
  );
});

test(
  'the checkpoints of a Tessera log are signed, are what its tiles say, and follow one another',
  {
    skip: noVectors,
  },
  () => {
    const { key, checkpoints, leaves } = tesseraLog();
    const read = checkpoints.map(readCheckpoint);
    for (const [size, checkpoint] of read.entries()) {
      assert.ok(isSignedBy(checkpoint, readVerifierKey(key)));
      assert.equal(checkpoint.size, BigInt(size));
      assert.deepEqual(checkpoint.root, rootByDefinition(leaves.slice(0, size)));
      for (const [from, older] of read.slice(0, size).entries()) {
        const proof = from === 0 ? [] : consistencyByDefinition(from, leaves.slice(0, size));
        assert.ok(isConsistent(older.size, checkpoint.size, older.root, checkpoint.root, proof));
        const path = pathByDefinition(from, leaves.slice(0, size));
        assert.ok(isIncluded(leaves[from]!, BigInt(from), checkpoint.size, path, checkpoint.root));
      }
    }
  },
);

test('a signature of another text, another name or another key is none', () => {
  const note = readNote(NOTE);
  assert.ok(isSignedBy(note, log.key));
  assert.ok(!isSignedBy({ ...note, text: checkpointText('docket/test', 6n, root) }, log.key));
  assert.ok(!isSignedBy(note, verifierKey('docket/other', log.key.publicKey)));
  assert.ok(!isSignedBy(note, newKey('docket/test').key));
});

test('signatures of unknown keys are passed over, and a bad one of a known key spoils the note', () => {
  const other = newKey('other');
  const foreign = signatureLine(other.key, sign(null, Buffer.from(text), other.privateKey));
  assert.ok(isSignedBy(readNote(`${text}\n${foreign}${line}`), log.key));
  assert.ok(!isSignedBy(readNote(`${text}\n${foreign}`), log.key));
  const bad = signatureLine(log.key, Buffer.alloc(64));
  assert.ok(!isSignedBy(readNote(`${text}\n${line}${bad}`), log.key));
  assert.ok(!isSignedBy(readNote(`${text}\n${bad}${line}`), log.key));
});

test('a witness signs that it saw the text at a time, and nothing else counts as that', () => {
  const witness = newKey('witness', 'cosignature');
  const cosigned = readNote(`${text}\n${line}${witnessed(witness, 1_679_315_147n)}`);
  assert.ok(isSignedBy(cosigned, witness.key));
  assert.ok(isSignedBy(cosigned, log.key));
  const later = readNote(`${text}\n${witnessed(witness, 1_679_315_147n, 1_679_315_148n)}`);
  assert.ok(!isSignedBy(later, witness.key));
  const plain = sign(null, Buffer.from(text), witness.privateKey);
  assert.ok(!isSignedBy(readNote(`${text}\n${signatureLine(witness.key, plain)}`), witness.key));
});

test(
  'keys are written and read as NAME+KEYID+BASE64, and an altered one is refused',
  { skip: noVectors },
  () => {
    const written = tesseraLog().key.trim();
    assert.equal(formatVerifierKey(readVerifierKey(written)), written);
    const material = Buffer.concat([Buffer.of(2), log.key.publicKey]).toString('base64');
    for (const bad of [
      written.replace('33d7b496', '33d7b497'),
      written.replace('AeHT', 'AeHS'),
      written.replace('example.com', 'example com'),
      written.slice(0, -4),
      `docket/test+${log.key.keyId}+${material}`,
      '',
    ]) {
      assert.throws(() => readVerifierKey(bad), SyntaxError, bad);
    }
  },
);

test('whatever is not exactly a checkpoint is refused', () => {
  for (const [why, note] of ODD) assert.equal(readCheckpoint(note).origin, 'docket/test', why);
  for (const [why, note] of MALFORMED) {
    assert.throws(() => readCheckpoint(note), SyntaxError, why);
  }
  assert.throws(() => readCheckpoint(NOTE.replace('docket', '\ud83d')), SyntaxError);
  assert.throws(() => readCheckpoint(Buffer.from([0xff, ...Buffer.from(NOTE)])), SyntaxError);
});
