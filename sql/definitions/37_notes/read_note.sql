-- Takes a checkpoint apart, whoever signed it: a signed note (C2SP signed-note) whose text states a log, a size and a root (C2SP
-- tlog-checkpoint). The body is what is signed, with its last line break. Byte format: docs/audit-log.md.
-- Called by: record_checkpoint, verify_checkpoint and whatever else takes checkpoints; auditors. Errors: ZD053 malformed.
create or replace function docket_audit.read_note(p_note text)
returns table (
  origin text,
  size bigint,
  root bytea,
  body text,
  names text[],
  key_ids bytea[],
  signatures bytea[]
)
language plpgsql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_signed text := split_part(p_note, E'\n\n', -1);
  v_lines text[];
  v_flaw text;
begin
  -- the last empty line ends the text
  body := left(p_note, -length(v_signed) - 1);
  v_lines := string_to_array(left(body, -1), E'\n');
  origin := v_lines[1];
  root := docket_audit.bytes_of_base64(v_lines[3]);
  select array_agg(l.parts[1] order by l.place), array_agg(substr(l.bytes, 1, 4) order by l.place),
    array_agg(substr(l.bytes, 5) order by l.place)
  into names, key_ids, signatures
  from (
    select n.place, p.parts, docket_audit.bytes_of_base64(p.parts[2]) as bytes
    from regexp_split_to_table(left(v_signed, -1), E'\n') with ordinality as n (line, place)
    cross join lateral (select regexp_match(n.line, '^— ([^ ]+) ([^ ]+)$') as parts) as p
  ) as l;

  v_flaw := case
    when p_note is null then 'there is none'
    when octet_length(p_note) > 1048576 then 'it is too long'
    when p_note ~ '[\u0001-\u0009\u000b-\u001f]' then 'it has control characters, such as carriage returns, in it'
    when position(E'\n\n' in p_note) = 0 then 'it has no empty line before its signatures'
    when right(p_note, 1) <> E'\n' then 'its last line does not end'
    when cardinality(names) > 100 then 'it has too many signatures'
    when (
      select bool_and((docket_audit.is_key_name(n.name) and octet_length(n.signature) > 0) is true)
      from unnest(names, signatures) as n (name, signature)
    ) is not true then 'a line after its empty line is no signature'
    when coalesce(origin, '') = '' then 'it has no origin'
    when (v_lines[2] ~ '^(0|[1-9][0-9]{0,18})$' and v_lines[2]::numeric < 2::numeric ^ 63) is not true
      then 'its second line is no size without leading zeros'
    when octet_length(root) is distinct from 32 then 'its third line is no base64 of 32 bytes'
    when '' = any (v_lines) then 'it has an empty line among its extension lines'
  end;
  if v_flaw is not null then
    raise exception 'note: no checkpoint: %', v_flaw
      using errcode = 'ZD053', hint = 'State the checkpoint as it was published, every byte of it; see docs/audit-log.md.';
  end if;
  size := v_lines[2]::bigint;
  return next;
end;
$$;
comment on function docket_audit.read_note(text) is
  'Takes a checkpoint, a signed note, apart; says nothing of its signatures. Raises ZD053.';
