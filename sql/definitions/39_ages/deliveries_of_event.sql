-- How many deliveries an event is about: of `accepted` the one that made the document, of further ones those that its detail lists.
-- Without rights of its own, so that it is inlined.
-- Called by: measure_ages and recorded_steps.
create or replace function docket.deliveries_of_event(
  p_event text,
  p_detail text
)
returns integer
language sql
immutable
as $$
  select case
    when p_event = 'accepted' then 1
    when p_event in ('delivered_again', 'redelivered') then coalesce(json_array_length(p_detail::json -> 'deliveries'), 0)
    else 0
  end
$$;
comment on function docket.deliveries_of_event(text, text) is 'How many deliveries an event is about.';
