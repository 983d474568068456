import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPdfSigns } from '../../src/evidence/pdf/pdf-signs.ts';
import { samplePdf } from './signed-pdf.ts';

function maySign(...pieces: (string | Buffer)[]): boolean {
  const signs = createPdfSigns();
  for (const piece of pieces) signs.take(Buffer.from(piece as string, 'latin1'));
  return signs.mayBeSigned;
}

const filler = 'x'.repeat(3000);
const signed = `%PDF-1.7\n${filler}<< /ByteRange [0 1 2 3] >>${filler}`;

test('a PDF with a byte range may be signed, wherever the pieces end', () => {
  for (let cut = 0; cut <= signed.length; cut += 1) {
    assert.equal(maySign(signed.slice(0, cut), signed.slice(cut)), true, `cut at ${cut}`);
  }
  assert.equal(maySign(...signed), true);
});

test('a name in which letters are written as numbers is the same name, wherever the pieces end', () => {
  const written = '/#42#79#74#65#52#61#6E#67#65';
  for (const mark of [written, written.toLowerCase(), '/Byte#52ange', '/ByteRang#65']) {
    const text = signed.replace('/ByteRange', mark);
    for (let cut = 3000; cut < 3060; cut += 1) {
      assert.equal(maySign(text.slice(0, cut), text.slice(cut)), true, `${mark}, cut at ${cut}`);
    }
  }
});

test('nothing else may be signed', () => {
  assert.equal(maySign(samplePdf()), false);
  assert.equal(maySign(signed.replace('/ByteRange', '/ByteRenge')), false);
  assert.equal(maySign(signed.replace('/ByteRange', ' ByteRange')), false);
  assert.equal(maySign('\x89PNG\r\n\x1a\n', filler, '/ByteRange'), false);
  assert.equal(maySign(filler, '%PDF-1.7', '/ByteRange'), false);
  assert.equal(maySign(), false);
});

test('a header may stand as far into the file as readers look for it, in whatever pieces', () => {
  const late = `${'x'.repeat(1019)}%PDF-`;
  assert.equal(maySign(late, '/ByteRange'), true);
  assert.equal(maySign(...late, '/ByteRange'), true);
  assert.equal(maySign(`x${late}`, '/ByteRange'), false);
  assert.equal(maySign(...`x${late}`, '/ByteRange'), false);
});
