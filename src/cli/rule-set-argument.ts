import type { Kysely } from 'kysely';
import { z } from 'zod';
import { fromDatabase } from '../db/errors.ts';
import type { Database } from '../db/rows.ts';
import { DocketError } from '../errors.ts';

/** A rule set as a person names it: by number or by name. */
export const ruleSetArgument = z.string().min(1);

/** The number of a rule set; throws RULE_SET_NOT_FOUND where there is none. */
export async function ruleSetId(reader: Kysely<Database>, named: string): Promise<number> {
  const sets = await reader.selectFrom('docket.rule_sets').select(['rule_set_id', 'name']).execute();
  const found = sets.find((set) => String(set.rule_set_id) === named || set.name === named);
  if (found) return found.rule_set_id;
  throw new DocketError('RULE_SET_NOT_FOUND', `there is no rule set "${named}"`, {
    hint: 'docket rules list',
  });
}

/** Says who may, to those who may not. */
export function explainRulesDenial(error: unknown): never {
  const { code, message } = fromDatabase(error);
  if (code !== 'DATABASE_DENIED') throw error;
  throw new DocketError(code, message, {
    cause: error,
    hint: 'only evidence owners decide on redaction: grant docket_evidence_owner to the login of DOCKET_DATABASE_URL',
  });
}
