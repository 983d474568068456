-- The one extension: pg_trgm, for words that recognition damaged. It is a trusted one, so whoever owns the database may create it.
-- Runs as the installing login. Where the extension already is, in whatever schema, it stays.
set local role none;

create extension if not exists pg_trgm;

do $$
declare
  v_schema name := (
    select n.nspname
    from pg_catalog.pg_extension e
    join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm'
  );
begin
  if not has_schema_privilege('docket_owner', v_schema, 'usage') then
    execute format('grant usage on schema %I to docket_owner', v_schema);
  end if;
end;
$$;
