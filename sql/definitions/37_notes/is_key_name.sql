-- Whether a key of signed notes may have this name: not empty, no spaces of Unicode, no plus, no control characters.
create or replace function docket_audit.is_key_name(p_name text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_name ~ '^[^+\u0001-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$'
$$;
comment on function docket_audit.is_key_name(text) is 'Whether a key of signed notes may have this name.';
