-- The memory, in MiB, that recognising a document may take at once: the engine, and its largest page in the clear. Pages are decoded one
-- at a time, so what counts of a file with many pages is a share of it. A rough figure, on the safe side for scans of paper.
-- Without rights of its own, so that it is inlined.
-- Called by: admissible_jobs and place_in_line.
create or replace function docket.predicted_mb(
  p_size_bytes bigint,
  p_media_type text
)
returns real
language sql
immutable
as $$
  select (
    150 + least(
      p_size_bytes / 1048576.0 * case p_media_type when 'image/jpeg' then 12 when 'image/png' then 8 when 'image/tiff' then 4 else 2 end,
      1000
    )
  )::real
$$;
comment on function docket.predicted_mb(bigint, text) is
  'Memory, in MiB, that recognising a document of this size and media type may take.';
