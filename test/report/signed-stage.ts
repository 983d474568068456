import { generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import * as commands from '../../src/db/commands.ts';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { TrustAnchor } from '../../src/evidence/trust.ts';
import { contentOf } from '../evidence/content-of.ts';
import { Stage } from '../sql/stage.ts';
import { JUDGED_AT, signatureReport, verifySigned } from '../sql/verify-signed.ts';
import type { TestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';

const SCAN = 'the bytes of a scan';

/** A source with one trust anchor, signatures by its key or another, and documents that have signatures. */
export class SignedStage {
  readonly stage: Stage;
  readonly #keys;
  readonly #anchor: TrustAnchor;

  private constructor(stage: Stage, keys: { depot: CryptoPair; stranger: CryptoPair }, anchor: TrustAnchor) {
    this.stage = stage;
    this.#keys = keys;
    this.#anchor = anchor;
  }

  static async open(database: TestDatabase): Promise<SignedStage> {
    const stage = await Stage.open(database);
    const keys = { depot: pair(), stranger: pair() };
    const pem = keys.depot.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const operator = await createLogin(database, 'docket_operator');
    const [added] = await commands.addTrustAnchor(operator.pool, {
      sourceId: 'carrier-a',
      label: 'Depot key',
      pem,
    });
    return new SignedStage(stage, keys, {
      id: added!.trust_anchor_id,
      kind: 'key',
      purpose: 'signer',
      label: 'Depot key',
      pem,
      validFrom: null,
      validUntil: null,
    });
  }

  /** A detached JWS over the scan, or over other bytes. */
  async signedBy(signer: 'depot' | 'stranger', bytes = SCAN): Promise<string> {
    const { privateKey } = this.#keys[signer];
    const jws = await new CompactSign(Buffer.from(bytes))
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    return jws.replace(/\..*\./, '..');
  }

  /** What our own checker finds of an envelope beside the scan. */
  async checked(envelope: Promise<string>, anchors = [this.#anchor]): Promise<readonly SignatureReport[]> {
    const trust = { anchors, revocationLists: [], judgedAt: new Date(JUDGED_AT) };
    return checkEnvelope(Buffer.from(await envelope), contentOf(SCAN), trust, new AbortController().signal);
  }

  /** What a checker reports of a valid signature in a PDF, with changes. */
  report(change: Partial<SignatureReport> = {}): SignatureReport {
    return signatureReport({ anchorId: this.#anchor.id, ...change });
  }

  /** A document whose bytes were seen, and whose signatures were found to be these. */
  async document(reports: readonly SignatureReport[]): Promise<string> {
    const job = await this.stage.deliver();
    await this.stage.admit();
    await verifySigned(this.stage, await this.stage.begin(job, 'hash'), [{ place: 'embedded', reports }]);
    return job;
  }
}

type CryptoPair = ReturnType<typeof pair>;

function pair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
