import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';

/** How a witness may misbehave in a test. */
type Mood = 'good' | 'silent' | 'broken' | 'lying' | 'forgetful';

/**
 * A witness by C2SP tlog-witness, written from its specification and by no code of Docket: it keeps the size and the root that it
 * cosigned last of each log, checks signature and consistency proof, and cosigns with its time.
 */
export class LittleWitness {
  readonly name: string;
  mood: Mood = 'good';
  url = '';
  /** Old sizes and the size of each request, in order. */
  readonly asked: string[] = [];
  readonly state = new Map<string, { size: number; root: Buffer }>();
  readonly #logs = new Map<string, Buffer>();
  readonly #key = generateKeyPairSync('ed25519');

  private constructor(name: string) {
    this.name = name;
  }

  static async start(name: string): Promise<LittleWitness> {
    const witness = new LittleWitness(name);
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const {
          status,
          type = 'text/plain',
          answer,
        } = witness.#answer(`${request.method} ${request.url}`, body);
        response.writeHead(status, { 'content-type': type }).end(answer);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => {
      server.closeAllConnections();
      server.close();
    });
    witness.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`;
    return witness;
  }

  /** Trusts the key of a log. */
  trust(origin: string, publicKey: Buffer): void {
    this.#logs.set(origin, publicKey);
  }

  get publicKey(): Buffer {
    const { x } = this.#key.publicKey.export({ format: 'jwk' });
    return Buffer.from(x!, 'base64url');
  }

  get #keyId(): Buffer {
    const named = createHash('sha256').update(`${this.name}\n`).update(Buffer.of(4)).update(this.publicKey);
    return named.digest().subarray(0, 4);
  }

  /** As it stands in a file of witnesses. */
  get line(): string {
    const material = Buffer.concat([Buffer.of(4), this.publicKey]).toString('base64');
    return `${this.name}+${this.#keyId.toString('hex')}+${material} ${this.url}`;
  }

  #answer(target: string, body: string): { status: number; type?: string; answer: string } {
    if (target !== 'POST /prefix/add-checkpoint') return { status: 405, answer: '' };
    const end = body.indexOf('\n\n');
    const [old = '', ...proof] = body.slice(0, end).split('\n');
    const note = body.slice(end + 2);
    const bodyEnd = note.indexOf('\n\n') + 1;
    const signed = note.slice(0, bodyEnd);
    const [origin = '', sizeText = '', rootText = ''] = signed.split('\n');
    const from = Number(/^old (0|[1-9]\d*)$/.exec(old)?.[1]);
    const size = Number(sizeText);
    this.asked.push(`${from} ${size}`);
    if (this.mood === 'silent') return { status: 503, answer: 'come back later' };
    if (this.mood === 'broken') return { status: 200, answer: 'no signature\n' };
    const key = this.#logs.get(origin);
    if (!key) return { status: 404, answer: '' };
    if (!isSigned(note.slice(bodyEnd + 1), origin, key, signed)) return { status: 403, answer: '' };
    if (!(from <= size)) return { status: 400, answer: '' };
    const known = this.state.get(origin) ?? { size: 0, root: Buffer.alloc(0) };
    if (known.size !== from) return { status: 409, type: 'text/x.tlog.size', answer: `${known.size}\n` };
    const root = Buffer.from(rootText, 'base64');
    const hashes = proof.map((line) => Buffer.from(line, 'base64'));
    if (from === size && from > 0 && !known.root.equals(root)) {
      return { status: 409, type: 'text/x.tlog.size', answer: `${size}\n` };
    }
    const isGood =
      from === 0 || from === size ? hashes.length === 0 : isGrowth(known, { size, root }, hashes);
    if (!isGood) return { status: 422, answer: '' };
    if (this.mood !== 'forgetful') this.state.set(origin, { size, root });
    return {
      status: 200,
      answer: this.#cosign(this.mood === 'lying' ? signed.replace('\n', ' \n') : signed),
    };
  }

  #cosign(signed: string): string {
    const time = BigInt(Math.floor(Date.now() / 1000));
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(time);
    const signature = sign(
      null,
      Buffer.from(`cosignature/v1\ntime ${time}\n${signed}`),
      this.#key.privateKey,
    );
    return `\u2014 ${this.name} ${Buffer.concat([this.#keyId, stamp, signature]).toString('base64')}\n`;
  }

  /** Whether a line of a note is a good cosignature by this witness. */
  hasCosigned(signed: string, { name, bytes }: { name: string; bytes: Buffer }): boolean {
    if (name !== this.name || !bytes.subarray(0, 4).equals(this.#keyId)) return false;
    const seen = `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${signed}`;
    return verify(null, Buffer.from(seen), this.#key.publicKey, bytes.subarray(12));
  }
}

function isSigned(lines: string, origin: string, publicKey: Buffer, signed: string): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
    format: 'jwk',
  });
  return lines
    .split('\n')
    .map((line) => line.split(' '))
    .some(
      ([, name, base64 = '']) =>
        name === origin && verify(null, Buffer.from(signed), key, Buffer.from(base64, 'base64').subarray(4)),
    );
}

/** RFC 6962, 2.1.2, by recursion: takes the proof apart from its end, as it was put together. */
function isGrowth(
  old: { size: number; root: Buffer },
  now: { size: number; root: Buffer },
  proof: readonly Buffer[],
): boolean {
  const left = [...proof];
  const walk = (m: number, n: number, isWhole: boolean): [Buffer, Buffer] => {
    if (m === n) {
      const hash = isWhole ? old.root : left.shift();
      return [hash!, hash!];
    }
    let k = 1;
    while (k * 2 < n) k *= 2;
    if (m <= k) {
      const [before, after] = walk(m, k, isWhole);
      return [before, node(after, left.shift()!)];
    }
    const [before, after] = walk(m - k, n - k, false);
    const first = left.shift()!;
    return [node(first, before), node(first, after)];
  };
  try {
    const [before, after] = walk(old.size, now.size, true);
    return left.length === 0 && before.equals(old.root) && after.equals(now.root);
  } catch {
    return false;
  }
}

function node(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}
