import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { z } from 'zod';
import { addRevocationList, addTrustAnchor } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import type { TrustMaterial } from '../../evidence/certificates/trust-material.ts';
import { readTrustMaterial } from '../../evidence/certificates/trust-material.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import type { Answer } from '../answer.ts';
import { withDatabase } from '../database-access.ts';
import { refuseFile } from '../scan-files.ts';
import { timeArgument } from '../time-argument.ts';
import { trustFacts } from '../trust-facts.ts';
import { defineVerb } from '../verb.ts';

const stated = z.strictObject({
  label: z.string().optional(),
  purpose: z.enum(['signer', 'timestamp'], 'expected signer or timestamp').optional(),
  validFrom: timeArgument.optional(),
  validUntil: timeArgument.optional(),
});

export default defineVerb({
  usage: 'trust add <source> <file>',
  summary:
    'Judge the signatures of a source by a public key or a certificate, or ask a revocation list for them (JWK, PEM, DER).',
  options: [
    ['--label <text>', 'name for people; default: the subject of the certificate'],
    ['--purpose <purpose>', 'signer, or timestamp for an authority that states times; default signer'],
    ['--valid-from <time>', 'believed from then on; default: as its certificate says, or always'],
    ['--valid-until <time>', 'believed until then; default: as its certificate says, or for ever'],
    AS_LOGIN,
  ],
  input: stated.extend({ source: z.string(), file: z.string(), as: z.string().optional() }),
  async run({ source, file, as, ...given }, { config, log, json, tell }) {
    const material = await readMaterial(file);
    if (!json) {
      for (const [name, value] of Object.entries(trustFacts(material))) tell(`${name}: ${value ?? '-'}`);
    }
    const add = adding(material, source, given);
    return withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, add),
    );
  },
});

async function readMaterial(file: string): Promise<TrustMaterial> {
  const bytes = await readFile(file).catch((error: unknown) => refuseFile(file, error));
  try {
    return readTrustMaterial(bytes);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    throw new DocketError(error.code, `${file} ${error.message}`, { cause: error, hint: error.hint });
  }
}

/** Checks what was stated of the material before anything is opened; answers how to add it. */
function adding(
  material: TrustMaterial,
  sourceId: string,
  { label, purpose, validFrom, validUntil }: z.infer<typeof stated>,
): (pool: pg.Pool) => Promise<Answer> {
  const facts = trustFacts(material);
  if (material.kind === 'revocation_list') {
    if (label ?? purpose ?? validFrom ?? validUntil)
      throw new DocketError('USAGE', 'a revocation list takes no label, purpose or validity');
    return async (pool) => {
      const [row] = await addRevocationList(pool, { sourceId, crl: material.der });
      const id = row?.revocation_list_id;
      return {
        json: { source: sourceId, revocation_list_id: id, ...facts },
        text: `Revocation list ${id} is asked for the signatures of ${sourceId} from now on.`,
      };
    };
  }
  const name = label ?? (material.kind === 'certificate' ? material.subject?.slice(0, 200) : undefined);
  if (name === undefined) {
    throw new DocketError('USAGE', 'a key has no name of its own', {
      hint: 'give it one, for people: --label "Depot key"',
    });
  }
  return async (pool) => {
    const [row] = await addTrustAnchor(pool, {
      sourceId,
      label: name,
      pem: material.pem,
      ...(purpose && { purpose }),
      ...(validFrom && { validFrom: validFrom.toISOString() }),
      ...(validUntil && { validUntil: validUntil.toISOString() }),
    });
    const id = row?.trust_anchor_id;
    return {
      json: { source: sourceId, trust_anchor_id: id, label: name, purpose: purpose ?? 'signer', ...facts },
      text: `Signatures of ${sourceId} are judged against anchor ${id}, "${name}", from now on.`,
    };
  };
}
