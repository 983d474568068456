import assert from 'node:assert/strict';
import type pg from 'pg';

/** Asserts that the database refuses with this SQLSTATE, and returns the error. */
export async function refused(sqlstate: string, act: Promise<unknown>): Promise<pg.DatabaseError> {
  let error: unknown;
  try {
    await act;
  } catch (caught) {
    error = caught;
  }
  const seen = error as pg.DatabaseError | undefined;
  assert.equal(seen?.code, sqlstate, `expected ${sqlstate}, got ${seen?.message ?? 'no error'}`);
  return seen;
}
