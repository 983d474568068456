import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readManifest } from '../../corpus/manifest.ts';

const corpus = new URL('../../corpus/', import.meta.url);
const manifest = readManifest();
const bytesOf = (file: string): Buffer => readFileSync(new URL(`documents/${file}`, corpus));

test('the manifest lists exactly the committed files with their size and SHA-256', () => {
  assert.deepEqual(
    manifest.map((entry) => entry.file).sort(),
    readdirSync(new URL('documents', corpus)).sort(),
  );
  for (const entry of manifest) {
    const bytes = bytesOf(entry.file);
    assert.equal(bytes.length, entry.size_bytes, entry.file);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), entry.sha256, entry.file);
  }
});

test('there are fourteen documents or more, of six kinds or more, in at most twelve megabytes', () => {
  assert.ok(manifest.filter((entry) => entry.expected.state === 'published').length >= 14);
  assert.ok(new Set(manifest.map((entry) => entry.kind)).size >= 6);
  assert.ok(manifest.reduce((sum, entry) => sum + entry.size_bytes, 0) <= 12_000_000);
});

test('each published document has a truth with as many pages as the document, and nothing else has a truth file', () => {
  const published = manifest.filter(({ expected }) => expected.state === 'published');
  assert.deepEqual(
    published.map((entry) => entry.truth).sort(),
    readdirSync(new URL('truth', corpus)).sort(),
  );
  assert.ok(manifest.every((entry) => published.includes(entry) || entry.truth === null));
  for (const entry of published) {
    const text = readFileSync(new URL(`truth/${entry.truth}`, corpus), 'utf8');
    assert.equal(text.split('\f').length, entry.pages, entry.file);
    assert.ok(text.length > 100, entry.file);
  }
});

test('the duplicate has the bytes of the document it repeats and comes from another sender', () => {
  const [again] = manifest.filter((entry) => entry.expected.state === 'duplicate');
  assert.ok(again?.expected.state === 'duplicate');
  const { of } = again.expected;
  const first = manifest.find((entry) => entry.file === of);
  assert.ok(first && bytesOf(again.file).equals(bytesOf(first.file)));
  assert.notEqual(again.source, first.source);
});

test('one document is delivered with a hash that is not that of its bytes', () => {
  const wrong = manifest.filter((entry) => entry.claimed_sha256 !== null);
  assert.deepEqual(
    wrong.map((entry) => entry.expected),
    [{ state: 'quarantined', code: 'HASH_MISMATCH' }],
  );
  assert.match(wrong[0]!.claimed_sha256!, /^[0-9a-f]{64}$/);
  assert.notEqual(wrong[0]!.claimed_sha256, wrong[0]!.sha256);
});

test('the first bytes of each file are those of the media type that the manifest states', () => {
  const starts: Record<string, string> = {
    'image/png': '89504e47',
    'image/jpeg': 'ffd8ff',
    'image/tiff': '49492a00',
    'application/pdf': '25504446',
  };
  for (const entry of manifest) {
    assert.ok(bytesOf(entry.file).toString('hex').startsWith(starts[entry.media_type]!), entry.file);
  }
});
