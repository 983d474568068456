-- How many pages of a result are stored, and their bytes in order, as the hash of the result takes them. One row. Without settings of
-- its own, so that it is inlined.
-- Called by: bundle_of, stored_differences, check_results. Not granted to anyone.
create or replace function docket.result_pages(
  p_job_id uuid,
  p_result_sha256 bytea
)
returns table (page_count integer, bytes bytea)
language sql
stable
as $$
  select count(*)::integer,
    coalesce(
      string_agg(
        docket.page_bytes(
          p.page_no, p.width_px, p.height_px, p.dpi, p.rotation_degrees, p.angle_degrees, p.confidence, p.verdict, p.text, p.words
        ),
        ''::bytea
        order by p.page_no
      ),
      ''::bytea
    )
  from docket.pages p
  where p.job_id = p_job_id and p.result_sha256 = p_result_sha256
$$;
comment on function docket.result_pages(uuid, bytea) is 'How many pages of a result are stored, and their bytes in order.';
