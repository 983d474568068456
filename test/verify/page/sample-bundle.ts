import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import tar from 'tar-stream';

// A bundle made from docs/bundle.md and docs/audit-log.md alone, by no code of the product.

const sha256 = (...parts: readonly Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const float32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
};
const field = (value: string | Uint8Array | null) =>
  value === null ? int32(-1) : Buffer.concat([int32(Buffer.from(value).length), Buffer.from(value)]);

export const SCAN = Buffer.from('the bytes of a scan, as it was delivered');
export const TEXT = 'SEAL 884120 BROKEN\nreceived under reserve';
/** As it was read again. */
export const LATER_TEXT = 'SEAL 884128 BROKEN\nreceived under reserve';
const SALT = Buffer.alloc(32, 5);

export const SCAN_SHA256 = sha256(SCAN).toString('hex');
export const JOB_ID = (() => {
  const id = sha256(sha256(SCAN)).subarray(0, 16);
  id.writeUInt8((id.readUInt8(6) & 0x0f) | 0x80, 6);
  id.writeUInt8((id.readUInt8(8) & 0x3f) | 0x80, 8);
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
})();

const ORIGIN = 'docket/3c1c9e2a-5a0f-4a53-8a53-0c9f6d3a7b11';
const config = '{"engine": "sample"}';
const resultOf = (text: string) =>
  Buffer.concat([
    SALT,
    Buffer.from('docket.result.1\n'),
    sha256(SCAN),
    sha256(Buffer.from(config)),
    int32(1),
    int32(1),
    int32(0),
    int32(1),
    ...[int32(1), int32(1000), int32(1400), float32(300), int32(0), float32(0), float32(91.5)],
    ...[field('text'), field(text), field('[]')],
  ]);
const result = resultOf(TEXT);
const laterResult = resultOf(LATER_TEXT);
const packet = Buffer.concat([
  SALT,
  Buffer.from('docket.packet.2\n'),
  sha256(SCAN),
  int64(BigInt(SCAN.length)),
  ...[field('image/jpeg'), field('file:ab/cd'), field(null), field('harbour'), field('delivery_note')],
  ...[int64(812_304_000_000_000n), int64(812_305_000_000_000n), field(int32(9401))],
  ...[field('{"name": "Zoë"}'), field(null), field(int64(4711n))],
]);

type Step = readonly [from: string, event: string, to: string, reason: string, detail: object];
const STEPS: readonly Step[] = [
  [
    'none',
    'accepted',
    'accepted',
    'First delivery.',
    { delivery: 17, source: 'harbour', sha256: SCAN_SHA256 },
  ],
  [
    'accepted',
    'verified',
    'accepted',
    '',
    { delivery: 17, source: 'harbour', salted_packet_sha256: sha256(packet).toString('hex') },
  ],
  ['accepted', 'started', 'running', '', {}],
  ['running', 'extracted', 'validated', '', { result_sha256: sha256(result).toString('hex') }],
  ['validated', 'published', 'published', '', { result_sha256: sha256(result).toString('hex') }],
];

const SUPERSEDED: Step = [
  'published',
  'superseded',
  'published',
  '',
  { result_sha256: sha256(laterResult).toString('hex'), supersedes: sha256(result).toString('hex') },
];

function leavesOf(steps: readonly Step[]): Buffer[] {
  let prev: Buffer | null = null;
  return steps.map(([from, event, to, reason, detail], at) => {
    const parts = [from, event, to, 'docket_worker', reason, null, JSON.stringify(detail), prev].map(
      (part) => (part === null ? null : Buffer.from(part)),
    );
    const leaf = Buffer.concat([
      Buffer.from('\0docket.event.1\n'),
      Buffer.from(JOB_ID.replaceAll('-', ''), 'hex'),
      int32(at + 1),
      int64(812_305_000_000_000n + BigInt(at) * 1_500_000n),
      int32(-1),
      ...parts.map((part) => int32(part?.length ?? -1)),
      ...parts.map((part) => part ?? Buffer.alloc(0)),
    ]);
    prev = sha256(leaf);
    return leaf;
  });
}

/** Root and inclusion proofs of RFC 6962, 2.1, to the letter: recursive and slow. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (hashes.length === 1 && first) return first;
  const k = splitOf(hashes.length);
  return sha256(Buffer.of(1), rootOf(hashes.slice(0, k)), rootOf(hashes.slice(k)));
}
function pathOf(at: number, hashes: readonly Buffer[]): Buffer[] {
  if (hashes.length === 1) return [];
  const k = splitOf(hashes.length);
  return at < k
    ? [...pathOf(at, hashes.slice(0, k)), rootOf(hashes.slice(k))]
    : [...pathOf(at - k, hashes.slice(k)), rootOf(hashes.slice(0, k))];
}
const splitOf = (size: number) => 2 ** Math.ceil(Math.log2(size) - 1);

/** The bundle of one document, read again or not, with the public keys of its log and of another; the files can be altered before they are packed. */
export async function sampleBundle(
  alter: (files: Map<string, Buffer>) => void = () => undefined,
  { isSuperseded = false } = {},
): Promise<{ bundle: Buffer; key: string; otherKey: string; checkpoint: string }> {
  const leaves = leavesOf(isSuperseded ? [...STEPS, SUPERSEDED] : STEPS);
  // two leaves of other documents around them
  const hashes = [Buffer.alloc(32, 1), ...leaves.map((leaf) => sha256(leaf)), Buffer.alloc(32, 2)];
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const text = `${ORIGIN}\n${hashes.length}\n${rootOf(hashes).toString('base64')}\n`;
  const key = keyText(publicKey.export({ format: 'der', type: 'spki' }).subarray(12));
  const signature = Buffer.concat([
    Buffer.from(key.split('+')[1] ?? '', 'hex'),
    sign(null, Buffer.from(text), privateKey),
  ]);
  const checkpoint = `${text}\n— ${ORIGIN} ${signature.toString('base64')}\n`;
  const folder = `documents/${JOB_ID}`;
  const files = new Map<string, Buffer>([
    ['bundle.json', Buffer.from(`{"format":"docket.bundle.1","origin":"${ORIGIN}"}\n`)],
    ['checkpoint', Buffer.from(checkpoint)],
    [`${folder}/packets/17`, Buffer.from(packet)],
    [`${folder}/result`, Buffer.from(result)],
    [`${folder}/ocr-config.json`, Buffer.from(config)],
    [`${folder}/text/page-1.txt`, Buffer.from(TEXT)],
  ]);
  if (isSuperseded) {
    files.set(`${folder}/results/5`, Buffer.from(result));
    files.set(`${folder}/results/5.ocr-config.json`, Buffer.from(config));
    files.set(`${folder}/result`, Buffer.from(laterResult));
    files.set(`${folder}/text/page-1.txt`, Buffer.from(LATER_TEXT));
  }
  for (const [at, leaf] of leaves.entries()) {
    const proof = pathOf(at + 1, hashes).map((hash) => `${hash.toString('base64')}\n`);
    files.set(`${folder}/events/${at + 1}.leaf`, leaf);
    files.set(
      `${folder}/events/${at + 1}.tlog-proof`,
      Buffer.from(`c2sp.org/tlog-proof@v1\nindex ${at + 1}\n${proof.join('')}\n${checkpoint}`),
    );
  }
  alter(files);
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
  return { bundle: await pack(files), key, otherKey: keyText(other), checkpoint };
}

function keyText(publicKey: Buffer): string {
  const material = Buffer.concat([Buffer.of(1), publicKey]);
  const id = sha256(Buffer.from(`${ORIGIN}\n`), material)
    .subarray(0, 4)
    .toString('hex');
  return `${ORIGIN}+${id}+${material.toString('base64')}`;
}

async function pack(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const archive = tar.pack();
  for (const [name, bytes] of files) archive.entry({ name, mtime: new Date(0) }, bytes);
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
