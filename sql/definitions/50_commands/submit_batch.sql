-- Delivers many scans with one answer each: a row that is refused is said so, and hinders no other.
-- Called by: senders. p_rows: a JSON array of at most 1000 objects with the columns of docket.submissions; sha256 in hex, envelope in
-- base64. With the rights of the sender, through docket.submissions, so nothing can be delivered here that could not be inserted there.
-- Effects: deliveries, as by insert. All rows are tried at once; where one is refused, half of them are, down to the row. After a
-- refused row one is tried, and after what went well twice as many: few are tried again, however many are refused.
-- Errors: ZD078 the batch is not of that shape. A row: ZD010 to ZD019, ZD028, ZD051, ZD071, ZD072, ZD078, as `code`.
create or replace function docket.submit_batch(p_rows json)
returns table (
  row_no integer,
  delivery_id bigint,
  job_id uuid,
  code text,
  message text,
  hint text,
  retry_after_seconds integer
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_rows json[];
  v_count integer;
  v_from integer := 1;
  v_to integer;
  v_size integer;
  v_problem text;
  v_deliveries bigint[];
  v_jobs uuid[];
  v_detail text;
begin
  -- check
  if json_typeof(p_rows) is distinct from 'array' then
    raise exception 'rows: expected a JSON array of objects'
      using errcode = 'ZD078', hint = 'Send a JSON array, with an object for each scan.';
  end if;
  v_rows := array(select r.value from json_array_elements(p_rows) with ordinality as r (value, place) order by r.place);
  v_count := cardinality(v_rows);
  if v_count > 1000 then
    raise exception 'rows: a batch has at most 1000, this one has %', v_count
      using errcode = 'ZD078', hint = 'Deliver them in several batches.';
  end if;

  -- record
  v_size := v_count;
  while v_from <= v_count loop
    v_to := least(v_from + v_size - 1, v_count);
    begin
      select docket.submission_problem(r.value)
      into v_problem
      from unnest(v_rows[v_from:v_to]) with ordinality as r (value, place)
      where docket.submission_problem(r.value) is not null
      limit 1;
      if found then
        raise exception '%', v_problem
          using errcode = 'ZD078',
            hint = 'Send the columns of docket.submissions alone: sha256 in hex, envelope in base64, times with their zone.';
      end if;
      with made as (
        insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at, document_date,
          document_kind, signer, envelope, encryption, scan_number)
        select x.source_id, decode(x.sha256, 'hex'), x.locator, x.version, x.size_bytes, x.media_type, x.captured_at, x.document_date,
          coalesce(x.document_kind, 'unknown'), coalesce(x.signer, '{}'), decode(x.envelope, 'base64'),
          coalesce(x.encryption, 'docket'), x.scan_number
        from unnest(v_rows[v_from:v_to]) with ordinality as r (value, place)
        cross join lateral json_to_record(r.value) as x (source_id text, sha256 text, locator text, version text, size_bytes bigint,
          media_type text, captured_at timestamptz, document_date date, document_kind text, signer json, envelope text,
          encryption text, scan_number bigint)
        order by r.place
        returning submissions.delivery_id, submissions.job_id
      )
      -- numbered in the order in which they were inserted; answered once the guards of the whole statement had their say
      select array_agg(m.delivery_id order by m.delivery_id), array_agg(m.job_id order by m.delivery_id)
      into v_deliveries, v_jobs
      from made m;
      return query
      select v_from - 1 + m.place::integer, m.delivery_id, m.job_id, null::text, null::text, null::text, null::integer
      from unnest(v_deliveries, v_jobs) with ordinality as m (delivery_id, job_id, place);
      v_from := v_to + 1;
      v_size := 2 * v_size;
    exception
      when others then
        if sqlstate !~ '^(ZD|2[23])' then
          raise;
        elsif v_to > v_from then
          v_size := (v_to - v_from + 1) / 2;
        else
          row_no := v_from;
          get stacked diagnostics code = returned_sqlstate, message = message_text, hint = pg_exception_hint,
            v_detail = pg_exception_detail;
          code := case when code ~ '^ZD' then code else 'ZD078' end;
          message := regexp_replace(message, '^row \d+: ', '');
          hint := nullif(hint, '');
          retry_after_seconds := substring(v_detail from 'retry after (\d+) s')::integer;
          return next;
          v_from := v_from + 1;
        end if;
    end;
  end loop;
end;
$$;
comment on function docket.submit_batch(json) is
  'Delivers up to 1000 scans, each with an answer of its own: its job, or why it is refused. Raises ZD078.';
