import * as commands from '../db/commands.ts';
import type { CompiledRules, RedactionRule } from '../domain/redaction/rules.ts';
import { compileRules } from '../domain/redaction/rules.ts';
import type { Log } from '../log.ts';

/** A rule set that pages are redacted by. */
export interface RuleSet {
  readonly id: number;
  readonly name: string;
  readonly rules: CompiledRules;
}

/** The rule sets as the database had them last. */
export interface RuleSets {
  /** Asks the database which sets are wanted and which is active; rules that are known are not fetched again. */
  refresh(): Promise<void>;
  /** The active set; undefined before the first refresh, and where it cannot be applied. */
  active(): RuleSet | undefined;
  /** A wanted set; undefined where it cannot be applied. */
  byId(id: number): RuleSet | undefined;
  /** The wanted sets that can be applied. */
  applicable(): readonly number[];
}

/** Keeps the rule sets of a database. One that cannot be applied is reported once: nothing is redacted by it, ever. */
export function createRuleSets(db: commands.Queryable, log: Log): RuleSets {
  const known = new Map<number, RuleSet | undefined>();
  let activeId: number | undefined;
  return {
    async refresh() {
      const rows = await commands.wantedRules(db, { known: [...known.keys()] });
      for (const row of rows) {
        if (row.rules !== null) known.set(row.rule_set_id, compiled(row, log));
      }
      const wanted = new Set(rows.map((row) => row.rule_set_id));
      for (const id of known.keys()) if (!wanted.has(id)) known.delete(id);
      activeId = rows.find((row) => row.is_active)?.rule_set_id;
    },
    active: () => (activeId === undefined ? undefined : known.get(activeId)),
    byId: (id) => known.get(id),
    applicable: () => [...known.values()].flatMap((ruleSet) => ruleSet?.id ?? []),
  };
}

function compiled(row: commands.WantedRulesRow, log: Log): RuleSet | undefined {
  try {
    return { id: row.rule_set_id, name: row.name, rules: compileRules(row.rules as RedactionRule[]) };
  } catch (err) {
    log.error(
      { err, ruleSet: row.name },
      'redaction rules cannot be applied; pages stay hidden until others are active',
    );
    return undefined;
  }
}
