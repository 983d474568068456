-- What happens when scans are delivered: every statement is checked as a whole, then each hash not seen before gets its job.
-- Nothing that already exists is locked, so an open transaction of one sender holds up nobody.
-- Errors: ZD010 to ZD019, ZD028 and ZD051, each for the first bad row, naming row, column and value; ZD071 and ZD072 for them all.
create or replace function docket.tg_deliveries__accept()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_bad record;
  v_message text;
begin
  -- check
  select d.*, checked.problem
  into v_bad
  from new_rows d
  left join docket.sources s on s.source_id = d.source_id
  left join docket.source_members m on m.source_id = d.source_id and m.role_name = session_user and m.may_deliver
  left join docket.document_kinds k on k.document_kind = d.document_kind
  cross join lateral (
    select case
      when s.source_id is null or m.role_name is null then 'ZD010'
      when not s.is_enabled then 'ZD017'
      when octet_length(d.sha256) <> 32 then 'ZD011'
      when not isfinite(d.captured_at) or not isfinite(d.document_date) or d.captured_at > clock_timestamp() + interval '5 minutes' then 'ZD012'
      when d.size_bytes not between 0 and 5368709120 then 'ZD013'
      when d.locator like '%..%' or length(d.locator) > 1024 or length(d.version) > 1024
        or d.locator ~ '[[:cntrl:]\\]'
        or d.locator !~ '^(file:[A-Za-z0-9]|memory:[A-Za-z0-9]|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/[^/])'
        or (d.locator like 's3:%' and substr(d.locator, 6) ~ '/[.]?(/|$)')
        or d.version = '' or d.version ~ '[[:cntrl:]]'
        then 'ZD014'
      when d.encryption not in ('docket', 'external', 'none') then 'ZD028'
      when k.document_kind is null then 'ZD015'
      when d.media_type not in ('image/png', 'image/jpeg', 'image/tiff', 'application/pdf')
        and (d.media_type !~ '^[!-.0-~]+/[!-.0-~]+$' or length(d.media_type) > 127) then 'ZD018'
      when d.signer::text <> '{}'
        and (d.signer::text is not json object with unique keys or octet_length(d.signer::text) > 16384) then 'ZD019'
      when octet_length(d.envelope) > 1048576 then 'ZD019'
      when d.scan_number not between 1 and 9007199254740991 then 'ZD051'
    end as problem
  ) as checked
  where checked.problem is not null
  order by d.delivery_id
  limit 1;

  if found then
    v_message := case v_bad.problem
      when 'ZD010' then format('source_id: "%s" is not a source that login "%s" may deliver for', v_bad.source_id, session_user)
      when 'ZD017' then format('source_id: "%s" is disabled', v_bad.source_id)
      when 'ZD011' then format('sha256: has %s bytes, a SHA-256 has 32', octet_length(v_bad.sha256))
      when 'ZD012' then case
        when not isfinite(v_bad.captured_at) then format('captured_at: %s is not a time', v_bad.captured_at)
        when not isfinite(v_bad.document_date) then format('document_date: %s is not a date', v_bad.document_date)
        else format('captured_at: %s is more than 5 minutes in the future', v_bad.captured_at)
      end
      when 'ZD013' then format('size_bytes: %s is not between 0 and 5368709120', v_bad.size_bytes)
      when 'ZD014' then case
        when v_bad.version = '' or v_bad.version ~ '[[:cntrl:]]' or length(v_bad.version) > 1024
          then format('version: "%s" is not one that a store gives', left(v_bad.version, 200))
        else format('locator: "%s" does not name an object', left(v_bad.locator, 200))
      end
      when 'ZD028' then format('encryption: "%s" is not docket, external or none', left(v_bad.encryption, 200))
      when 'ZD015' then format('document_kind: "%s" is not known', v_bad.document_kind)
      when 'ZD051' then format('scan_number: %s is not between 1 and 9007199254740991', v_bad.scan_number)
      when 'ZD018' then format('media_type: "%s" is not of the form type/subtype', left(v_bad.media_type, 200))
      else case
        when v_bad.signer::text is not json object with unique keys
          then format('signer: is of JSON type %s, not an object whose names are unique', json_typeof(v_bad.signer))
        when octet_length(v_bad.envelope) > 1048576
          then format('envelope: has %s bytes, at most 1048576 are kept', octet_length(v_bad.envelope))
        else format('signer: has %s bytes, at most 16384 are kept', octet_length(v_bad.signer::text))
      end
    end;
    raise exception 'row %: %', (select count(*) from new_rows n where n.delivery_id <= v_bad.delivery_id), v_message
      using errcode = v_bad.problem,
            hint = (select c.remedy from docket.error_codes c where c.sqlstate = v_bad.problem);
  end if;

  if exists (select from docket.flow_limits) then
    perform docket.refuse_excess(array(select n.source_id from new_rows n));
  end if;

  -- record
  perform docket.accept_deliveries(array(select n.delivery_id from new_rows n));

  -- enqueue
  insert into docket.receipt_orders (delivery_id, job_id) select n.delivery_id, n.job_id from new_rows n;
  return null;
end;
$$;
comment on function docket.tg_deliveries__accept() is
  'Checks every delivered row (ZD010 to ZD019, ZD028, ZD051), refuses what is too much (ZD071, ZD072), and makes the jobs of hashes not seen before.';

create or replace trigger _500_accept
  after insert on docket.deliveries
  referencing new table as new_rows
  for each statement execute function docket.tg_deliveries__accept();
alter table docket.deliveries enable always trigger _500_accept;
comment on trigger _500_accept on docket.deliveries is 'Checks deliveries and makes the jobs of new hashes.';
