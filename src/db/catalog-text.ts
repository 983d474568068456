// What a database really holds of Docket, as text from its catalog, in a stable order: the same on every server.
import type { Queryable } from './commands.ts';

const SCHEMAS = `('docket'::regnamespace, 'docket_audit'::regnamespace, 'docket_api'::regnamespace, 'docket_queue'::regnamespace)`;

/** Privileges as text: grantee=privileges, sorted; the owner's own are left out. */
const acl = (column: string, owner: string) => `(
  select string_agg(format('%s: %s', g.grantee, g.privileges), '; ' order by g.grantee)
  from (
    select coalesce(r.rolname, 'public') as grantee, string_agg(lower(x.privilege_type), ', ' order by x.privilege_type) as privileges
    from aclexplode(${column}) x left join pg_roles r on r.oid = x.grantee
    where x.grantee <> ${owner}
    group by 1
  ) g
)`;

const SECTIONS: { title: string; query: string }[] = [
  {
    title: 'schemas',
    query: `
      select format('schema %s owner %s%s', nspname, nspowner::regrole, coalesce(' grants ' || ${acl('nspacl', 'nspowner')}, '')) as line
      from pg_namespace where oid in ${SCHEMAS} or nspname = 'graphile_worker' order by nspname`,
  },
  {
    title: 'types',
    query: `
      select format('type %s (%s)', t.oid::regtype,
        (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) from pg_attribute a where a.attrelid = t.typrelid)) as line
      from pg_type t join pg_class c on c.oid = t.typrelid
      where t.typnamespace in ${SCHEMAS} and c.relkind = 'c' order by 1`,
  },
  {
    title: 'tables',
    query: `
      select format(E'table %s owner %s%s%s\\n%s', c.oid::regclass, c.relowner::regrole,
        coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''),
        coalesce(E'\\n  grants ' || ${acl('c.relacl', 'c.relowner')}, ''),
        (select string_agg(format('  %s %s%s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
            case when a.attnotnull then ' not null' else '' end,
            case when a.attidentity <> '' then ' identity' when a.attgenerated = 's' then ' generated as ' || pg_get_expr(d.adbin, d.adrelid)
                 else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end,
            coalesce(' grants ' || ${acl('a.attacl', 'c.relowner')}, ''), ''), E'\\n' order by a.attnum)
         from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)) as line
      from pg_class c where c.relnamespace in ${SCHEMAS} and c.relkind in ('r', 'p') order by c.oid::regclass::text`,
  },
  {
    title: 'constraints',
    query: `
      select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
      from pg_constraint where connamespace in ${SCHEMAS} and conrelid <> 0 and contype <> 'n' and conparentid = 0 order by conrelid::regclass::text, conname`,
  },
  {
    title: 'indexes',
    query: `
      select pg_get_indexdef(i.indexrelid) as line
      from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace in ${SCHEMAS} order by c.oid::regclass::text`,
  },
  {
    title: 'views',
    query: `
      select format(E'view %s owner %s%s%s as\\n%s', c.oid::regclass, c.relowner::regrole,
        coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''),
        coalesce(E'\\n  grants ' || ${acl('c.relacl', 'c.relowner')}, ''), pg_get_viewdef(c.oid, true)) as line
      from pg_class c where c.relnamespace in ${SCHEMAS} and c.relkind = 'v' order by c.oid::regclass::text`,
  },
  {
    title: 'functions',
    query: `
      select format(E'-- owner %s%s\\n%s', p.proowner::regrole, coalesce(', grants ' || ${acl('p.proacl', 'p.proowner')}, ''),
        pg_get_functiondef(p.oid)) as line
      from pg_proc p where p.pronamespace in ${SCHEMAS} order by p.oid::regprocedure::text`,
  },
  {
    title: 'triggers',
    query: `
      select format('%s; -- %s', pg_get_triggerdef(t.oid, true), case t.tgenabled when 'A' then 'always' when 'O' then 'enabled' else 'disabled' end) as line
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace in ${SCHEMAS} and not t.tgisinternal order by c.oid::regclass::text, t.tgname`,
  },
  {
    title: 'policies',
    query: `
      select format('policy %s on %s.%s %s to %s using %s check %s', policyname, schemaname, tablename, cmd, roles, qual, with_check) as line
      from pg_policies where schemaname in ('docket', 'docket_audit', 'docket_api', 'docket_queue') order by tablename, policyname`,
  },
  {
    title: 'rules of the state machine',
    query: `
      select format('%s + %s -> %s by %s%s', from_state, event, to_state, actor_role, coalesce(' then ' || next_task, '')) as line
      from docket.job_transitions order by from_state, event`,
  },
];

/** All sections in order, or those with these titles, each below its title. */
export async function catalogText(db: Queryable, titles?: readonly string[]): Promise<string> {
  const sections: string[] = [];
  for (const { title, query } of SECTIONS.filter((section) => titles?.includes(section.title) ?? true)) {
    const rows = (await db.query(query, [])).rows as { line: string }[];
    sections.push(`-- ${title}\n\n${rows.map((row) => row.line.trimEnd()).join('\n\n')}\n`);
  }
  return sections.join('\n');
}
