-- What is wrong with the shape of a row of a batch; null if it is a row of docket.submissions, written as JSON.
-- Called by: submit_batch, as the sender. What the values mean is checked where rows are inserted.
create or replace function docket.submission_problem(p_row json)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case when p_row is not json object with unique keys then 'expected an object whose names are unique' else (
    select format(
      case
        when c.type is null then '%s: no column of a submission has this name'
        when c.given is null then '%s: is missing'
        when c.type = 'hex' then '%s: "%s" is not in hex digits'
        when c.type = 'base64' then '%s: is not in base64'
        else '%s: "%s" is not a ' || c.type
      end,
      c.name,
      left(c.given, 200)
    )
    from (
      select name, known.type, p_row ->> name as given, known.is_needed
      from (values
        ('source_id', 'text', true),
        ('sha256', 'hex', true),
        ('locator', 'text', true),
        ('version', 'text', false),
        ('size_bytes', 'bigint', true),
        ('media_type', 'text', true),
        ('captured_at', 'timestamptz', true),
        ('document_date', 'date', false),
        ('document_kind', 'text', false),
        ('signer', 'json', false),
        ('envelope', 'base64', false),
        ('encryption', 'text', false),
        ('scan_number', 'bigint', false)
      ) as known (name, type, is_needed)
      full join json_object_keys(p_row) as given (name) using (name)
    ) as c
    where case
      when c.type is null then true
      when c.given is null then c.is_needed
      when c.type = 'hex' then c.given !~* '^([0-9a-f]{2})*$'
      when c.type = 'base64' then c.given !~ '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
      else not pg_input_is_valid(c.given, c.type)
    end
    order by c.name
    limit 1
  ) end
$$;
comment on function docket.submission_problem(json) is
  'What is wrong with the shape of a row of a batch; null if nothing is.';
