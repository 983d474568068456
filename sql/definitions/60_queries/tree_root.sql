-- The root of the log when it had so many leaves, from the tiles.
-- Called by: auditors; what makes and checks checkpoints. Errors: ZD055.
create or replace function docket.tree_root(p_size bigint)
returns bytea
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_root bytea := '';
  v_level integer := 0;
begin
  perform docket.require_tree_size(p_size);
  -- what lies beyond the complete tiles of a level is one subtree, and the last hash of the level above
  loop
    v_root := docket.right_edge(v_level, p_size) || v_root;
    if octet_length(v_root) > 0 then
      v_root := docket_audit.merkle_root(v_root);
    end if;
    v_level := v_level + 1;
    exit when p_size >> 8 * v_level = 0;
  end loop;
  return coalesce(nullif(v_root, ''), sha256(''));
end;
$$;
comment on function docket.tree_root(bigint) is
  'Root of the Merkle log (RFC 6962) when it had so many leaves. Raises ZD055 where it has fewer.';
