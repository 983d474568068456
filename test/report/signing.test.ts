import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDocument, aSignature, written } from './sample-report.ts';

test('without a valid signature a document is called received and never signed', async () => {
  const refused = aSignature({ status: 'invalid', meaning: 'It does not fit.', digestMatches: false });
  const page = await written([aDocument(), aDocument({ signatures: [refused] })]);
  assert.equal(page.match(/<bdi>Bytes received\. It has no signature\.<\/bdi>/g)?.length, 2);
  // twice in the summary, and in the head of each of the two
  assert.equal(page.match(/<span class="badge received">bytes received<\/span>/g)?.length, 4);
  assert.equal(page.match(/<h3>Page 1<small>bytes received · /g)?.length, 2);
  assert.doesNotMatch(page, /\bsigned\b/i);
});

test('a signed document says so at its head, in the summary, in the totals and at each page', async () => {
  const statement = 'Signed by CN=Depot Nord over the whole document.';
  const page = await written([
    aDocument({ standing: 'signed', statement, signatures: [aSignature()] }),
    aDocument({ jobId: '0191d0c4-0000-8000-8000-000000000002' }),
  ]);
  assert.match(
    page,
    /<p class="note good"><bdi>Signed by CN=Depot Nord over the whole document\.<\/bdi><\/p>/,
  );
  assert.equal(page.match(/<span class="badge good"><span aria-hidden="true">✓<\/span> signed/g)?.length, 2);
  assert.match(page, /<dt>signed<\/dt>\s*<dd>1<\/dd>/);
  assert.equal(page.match(/of a signed document/g)?.length, 1);
});

test('each signature is shown with its two answers, what it covers, its anchor and who says when it was made', async () => {
  const page = await written([
    aDocument({
      signatures: [
        aSignature(),
        aSignature({
          status: 'unknown_signer',
          coverage: 'changed_after_signing',
          laterChanges: 'form_filling',
          isIntact: true,
          digestMatches: false,
          anchor: null,
          signedAtBy: 'timestamp',
        }),
        aSignature({
          status: 'unsupported',
          purpose: 'timestamp',
          isIntact: null,
          digestMatches: null,
          signedAt: null,
        }),
      ],
    }),
  ]);
  const rows = [...page.matchAll(/<table class="signatures">.*?<tbody>(.*?)<\/tbody>/gs)]
    .flatMap(([, body = '']) => body.split('</tr>').slice(0, -1))
    .map((row) => row.replaceAll(/<[^>]+>/g, '|').replaceAll(/[|\s]*\|[|\s]*/g, '|'));
  assert.deepEqual(rows, [
    '|valid|It is intact, and leads to a trust anchor.|whole document|yes|yes|CN=Depot Nord|Depot CA|2026-09-28 17:00:00.000|as stated by the signer|2026-09-29 08:00:00.100|envelope, cms|ecdsa-with-SHA256|signing_time_untrusted|',
    '|unknown signer|It is intact, and leads to a trust anchor.|changed after signing|added later: form filling|yes|no|CN=Depot Nord|–|2026-09-28 17:00:00.000|by a trusted time-stamp|2026-09-29 08:00:00.100|envelope, cms|ecdsa-with-SHA256|signing_time_untrusted|',
    '|unsupported|It is intact, and leads to a trust anchor.|whole document|not known|not known|CN=Depot Nord|Depot CA|–|2026-09-29 08:00:00.100|envelope, cms, time-stamp|ecdsa-with-SHA256|signing_time_untrusted|',
  ]);
});

test('what only the sender knows is labelled as stated by the sender', async () => {
  const page = await written([
    aDocument({ stated: { capturedAt: '2026-09-28T16:45:00.000Z', signer: '{"name":"A. Reyes"}' } }),
  ]);
  assert.match(page, /<dt>Captured, as stated by the sender<\/dt>\s*<dd>2026-09-28 16:45:00\.000 UTC<\/dd>/);
  assert.match(page, /<dt>Signer, as stated by the sender<\/dt>\s*<dd>[^<]*A\. Reyes[^<]*<\/dd>/);
});

test('the receipt is shown with its code and time', async () => {
  const receipt = { outcome: 'BSIG', code: 'SIGNATURE_INVALID', issuedAt: '2026-09-29 08:00:01+00' };
  const page = await written([aDocument({ receipt })]);
  assert.match(
    page,
    /<dt>Receipt<\/dt>\s*<dd><code>BSIG<\/code> <code>SIGNATURE_INVALID<\/code>, 2026-09-29 08:00:01\.000 UTC<\/dd>/,
  );
});
