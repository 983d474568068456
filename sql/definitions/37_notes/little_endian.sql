-- The number that bytes stand for, the lowest first.
create or replace function docket_audit.little_endian(p_bytes bytea)
returns numeric
language plpgsql
immutable
strict
parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_number numeric := 0;
begin
  for i in reverse octet_length(p_bytes) - 1 .. 0 loop
    v_number := v_number * 256 + get_byte(p_bytes, i);
  end loop;
  return v_number;
end;
$$;
comment on function docket_audit.little_endian(bytea) is 'The number that bytes stand for, the lowest first.';
