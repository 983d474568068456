// How OCR damages letters and digits, and what can be undone of it.

/** What a letter of a label may have become; letters that are not here are rarely mistaken. */
const LETTERS: Readonly<Record<string, string>> = {
  a: '[aàáâäãå@o4]',
  b: '[b68h]',
  c: '[cçeo(]',
  d: '[dcl]',
  e: '[eèéêëcao3]',
  f: '[ft]',
  g: '[g9q6]',
  h: '[hb]',
  i: '[ií1ïl|!j]',
  l: '[l1i|!]',
  m: '(?:m|rn|nn|in)',
  n: '[nñhr]',
  o: '[oóöôø0cea]',
  q: '[qg9]',
  r: '[rn]',
  s: '[s5$]',
  t: '[tfl1+]',
  u: '[uúüùv]',
  v: '[vyu]',
  w: '(?:w|vv)',
  y: '[yvg]',
  z: '[z2]',
  "'": "['’‘´`]?",
};

/** What a digit may have become, and the digit that each stands for. */
const DIGITS: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  I: '1',
  i: '1',
  l: '1',
  L: '1',
  '|': '1',
  '!': '1',
  Z: '2',
  z: '2',
  S: '5',
  s: '5',
  G: '6',
  b: '6',
  B: '8',
  g: '9',
  q: '9',
};

const ANY_DIGIT = String.raw`[\dOQDILZSGB|!q]`;

/** A regular expression for words as OCR may have read them: `9` is any digit, a space may be lost, doubled or a dot. */
export function damaged(words: string): string {
  return words
    .split('|')
    .map((alternative) => (alternative.length < SHORT ? alike(alternative) : resembling(alternative)))
    .join('|');
}

/** Words shorter than this resemble too many others: only digits that look like their letters are allowed for. */
const SHORT = 4;

function alike(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}/]/g, String.raw`\$&`).replace(/[9bgilos]/gi, (letter) => {
    const looks = LOOK_ALIKES[letter.toLowerCase()] ?? '';
    return letter === '9' ? ANY_DIGIT : `[${letter}${looks}]`;
  });
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { b: '8', g: '96', i: '1l|', l: '1|', o: '0', s: '5' };

function resembling(words: string): string {
  return Array.from(words.toLowerCase(), (character) => {
    if (character === ' ') return String.raw`[^\S\n._]{0,2}[._]?[^\S\n]?`;
    if (character === '9') return ANY_DIGIT;
    return LETTERS[character] ?? character.replace(/[\\^$.*+?()[\]{}/]/, String.raw`\$&`);
  }).join('');
}

/** The text with the letters that stand for digits read as digits. */
export function readDigits(text: string): string {
  return text.replace(/[OoQDIilL|!ZzSsGbBgq]/g, (character) => DIGITS[character] ?? character);
}

/** Its digits alone, damaged ones included. */
export function digitsOf(text: string): string {
  return readDigits(text).replace(/\D/g, '');
}
