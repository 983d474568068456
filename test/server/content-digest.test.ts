import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { sha256Of } from '../../src/server/objects/content-digest.ts';

/** The example of RFC 9530, appendix D: the digest of `{"hello": "world"}\n`. */
const EXAMPLE = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:';
const BYTES = '44aff4ab2d7c3250525675a08f0cfa9591168cffe51791c5f5bbc417c15a6c38';

test('the SHA-256 of a Content-Digest is read, whatever stands beside it', () => {
  const sha512 =
    'sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:';
  for (const field of [
    EXAMPLE,
    `${sha512}, ${EXAMPLE}`,
    `${EXAMPLE},${sha512}`,
    EXAMPLE.replace(/=:$/, ':'),
  ]) {
    assert.equal(sha256Of(field)?.toString('hex'), BYTES, field);
  }
  assert.equal(sha256Of(sha512), undefined);
  assert.equal(sha256Of(undefined), undefined);
});

test('what cannot be meant is refused', () => {
  for (const field of [
    '',
    'sha-256',
    'sha-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=',
    `sha-256=:${BYTES}:`,
    'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDh=:',
    'sha-256=::',
    `${EXAMPLE}, nonsense`,
  ]) {
    assert.throws(
      () => sha256Of(field),
      (error) => error instanceof DocketError && error.code === 'DIGEST_MALFORMED',
      field,
    );
  }
});
