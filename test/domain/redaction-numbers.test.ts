import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDamagedIban, isIban } from '../../src/domain/redaction/iban.ts';
import {
  isBsn,
  isCodiceFiscale,
  isDni,
  isPesel,
  isResidentIdentity,
} from '../../src/domain/redaction/identity-numbers.ts';
import { isCardNumber, isLuhn } from '../../src/domain/redaction/luhn.ts';

test("Luhn's formula accepts the published examples and refuses each of their neighbours", () => {
  // the example of the patent (US 2,950,048) and of ISO/IEC 7812 in common form
  assert.ok(isLuhn('79927398713'));
  for (const last of '012456789') assert.ok(!isLuhn(`7992739871${last}`));
  assert.ok(!isLuhn(''));
  assert.ok(!isLuhn('7992739871x'));
});

test('the test numbers that card schemes publish are card numbers, also in groups and damaged', () => {
  for (const number of [
    '4111 1111 1111 1111',
    '4012888888881881',
    '5555-5555-5555-4444',
    '2223003122003222',
    '378282246310005',
    '30569309025904',
    '6011111111111117',
    '3530111333300000',
    '4lll l1I1 llll |111',
  ]) {
    assert.ok(isCardNumber(number), number);
  }
});

test('a right check digit makes no card number of another scheme or length', () => {
  // Luhn holds, but nobody issues numbers that begin so
  assert.ok(isLuhn('0000000000000000') && !isCardNumber('0000 0000 0000 0000'));
  assert.ok(!isCardNumber('4111 1111 1111 1112'));
  assert.ok(!isCardNumber('4111 1111 1111'));
});

test('the examples of the IBAN registry are IBANs; one digit off they are not', () => {
  for (const iban of [
    'GB82 WEST 1234 5698 7654 32',
    'DE89 3704 0044 0532 0130 00',
    'FR14 2004 1010 0505 0001 3M02 606',
    'NL91 ABNA 0417 1643 00',
    'PL61 1090 1014 0000 0712 1981 2874',
    'NO93 8601 1117 947',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
  ]) {
    assert.ok(isIban(iban), iban);
    assert.ok(!isIban(iban.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))), iban);
  }
  assert.ok(!isIban('DE89 3704 0044 0532 0130 0'), 'too short for its country');
  assert.ok(!isIban('ZZ89 3704 0044 0532 0130 00'), 'no such country');
});

test('an IBAN is known through the letters that OCR makes of its digits', () => {
  assert.ok(isDamagedIban('DEB9 37O4 0O44 0S32 0I30 oo'));
  assert.ok(isDamagedIban('GB82 WEST l234 S698 76S4 32'));
  assert.ok(!isDamagedIban('DEB9 37O4 0O44 0S32 0I30 o1'));
});

test('numbers of states are known by their check digits', () => {
  assert.ok(isDni('12345678Z') && isDni('X1234567L') && !isDni('12345678A'));
  assert.ok(isPesel('44051401359') && !isPesel('44051401358'));
  assert.ok(isBsn('111222333') && !isBsn('111222334') && !isBsn('000000000'));
  assert.ok(isResidentIdentity('11010519491231002X') && !isResidentIdentity('110105194912310021'));
  assert.ok(isCodiceFiscale('RSSMRA85T10A562S') && !isCodiceFiscale('RSSMRA85T10A562T'));
});
