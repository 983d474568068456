import type { Config } from '../config.ts';
import type { DatabaseAccess } from './database-access.ts';

/** The command by which a person looks into the database; a password is never part of it. */
export function psqlLine(database: DatabaseAccess): string {
  const url = database.cluster?.url('postgres') ?? withoutPassword(database.config);
  return `psql '${url}'`;
}

function withoutPassword({ databaseUrl = '' }: Config): string {
  return databaseUrl
    .replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@/]*@/, '$1@')
    .replace(/([?&]password=)[^&]*/, '$1…');
}
