import assert from 'node:assert/strict';
import { compactVerify, exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { CompactSign } from 'jose';
import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { FurtherStage } from './further-stage.ts';

/** What a receipt says. */
export interface Told {
  jti: string;
  iat: number;
  sub: string;
  outcome: string;
  delivery: { id: string; received_at: string; sha256: string; size_bytes: number };
  document?: string;
  earlier?: { id: string; received_at: string };
  event?: { seq: number; name: string; at: string; hash: string };
  code?: string;
  remedy?: string;
  statement: string;
}

/** A stage with three sources, and a key by which a worker signs what it is handed out. */
export class ReceiptsStage {
  readonly further: FurtherStage;
  readonly kid: string;
  readonly #keys: { privateKey: CryptoKey; publicKey: CryptoKey };

  private constructor(
    further: FurtherStage,
    kid: string,
    keys: { privateKey: CryptoKey; publicKey: CryptoKey },
  ) {
    this.further = further;
    this.kid = kid;
    this.#keys = keys;
  }

  static async open(database: TestDatabase): Promise<ReceiptsStage> {
    const further = await FurtherStage.open(database);
    const keys = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const { kty, crv, x } = await exportJWK(keys.publicKey);
    const [row] = await commands.addReceiptKey(further.stage.worker, {
      publicJwk: JSON.stringify({ kty, crv, x }),
    });
    return new ReceiptsStage(further, row!.key_id, keys);
  }

  /** What is handed out now. */
  async claim(limit = 100): Promise<Told[]> {
    const rows = await commands.claimReceipts(this.further.stage.worker, { limit });
    return rows.map((row) => row.claims as Told);
  }

  /** Signs by a library of its own. */
  async sign(claims: object, kid = this.kid): Promise<string> {
    return this.signText(JSON.stringify({ iss: 'test', ...claims }), kid);
  }

  /** Signs a payload as it stands. */
  async signText(payload: string, kid = this.kid): Promise<string> {
    return new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'docket-receipt+jws' })
      .sign(this.#keys.privateKey);
  }

  async record(...jws: string[]): Promise<string[]> {
    const rows = await commands.recordReceipts(this.further.stage.worker, { jws });
    return rows.map((row) => row.outcome);
  }

  /** Issues all that there is to tell at this moment; answers it. */
  async tell(): Promise<Told[]> {
    const told: Told[] = [];
    for (;;) {
      const claimed = await this.claim();
      if (claimed.length === 0) return told;
      const jws = await Promise.all(claimed.map((claims) => this.sign(claims)));
      const outcomes = await this.record(...jws);
      assert.deepEqual(new Set(outcomes), new Set(['recorded']));
      told.push(...claimed);
    }
  }

  /** Issues until something was told of a delivery; answers the last of it. */
  async told(delivery: string): Promise<Told> {
    return eventually(`something is told of delivery ${delivery}`, async () =>
      (await this.tell()).findLast((claims) => claims.delivery.id === delivery),
    );
  }

  /** The receipts of a delivery, in order, as outcome and code. */
  async history(delivery: string): Promise<string[]> {
    const { rows } = await this.further.stage.db.query<{ told: string }>(
      `select concat_ws(' ', outcome, code) as told from docket.receipts where delivery_id = $1 order by receipt_no`,
      [delivery],
    );
    return rows.map((row) => row.told);
  }

  /** The deliveries of which something may still have to be told. */
  async ordered(): Promise<string[]> {
    const { rows } = await this.further.stage.db.query<{ delivery_id: string }>(
      'select delivery_id from docket.receipt_orders order by delivery_id',
    );
    return rows.map((row) => row.delivery_id);
  }

  /** The newest delivery of a document. */
  async deliveryOf(job: string): Promise<string> {
    const { rows } = await this.further.stage.db.query<{ delivery_id: string }>(
      'select max(delivery_id) as delivery_id from docket.deliveries where job_id = $1',
      [job],
    );
    return rows[0]!.delivery_id;
  }

  /** An event as the audit log has it. */
  async event(job: string, event: string): Promise<{ seq: number; hash: string }> {
    const { rows } = await this.further.stage.db.query<{ seq: number; hash: string }>(
      `select seq, encode(hash, 'hex') as hash from docket_audit.events where job_id = $1 and event = $2 order by seq desc limit 1`,
      [job, event],
    );
    return rows[0]!;
  }

  /** Verifies a receipt by the public key; answers what it says. */
  async verify(jws: string): Promise<Told> {
    const { payload } = await compactVerify(jws, this.#keys.publicKey);
    return JSON.parse(new TextDecoder().decode(payload)) as Told;
  }
}
