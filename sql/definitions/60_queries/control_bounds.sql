-- What can be set, in words, told by the constraint that a value does not fulfil.
-- Called by: change_control. Not granted to anyone.
create or replace function docket.control_bounds(p_constraint text)
returns text
language sql
immutable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case p_constraint
    when 'pool_limits__are_counts' then 'slots are 0 to 1000 a process and 0 to 100000 in all'
    when 'lanes__window_is_positive' then 'a window is 1 document or more'
    when 'slos__thresholds_rise' then 'thresholds are above 0, and none is below one that is less severe'
    when 'flow_limits__are_positive' then
      'rates are 0.001 to 1000000 a minute, bursts 1 to 1000000, documents that wait and memory 1 or more'
    when 'flow_limits__bursts_have_rates' then 'a burst goes with a rate, and a rate with a burst'
    when 'flow_limits__on_excess_is_known' then 'what is beyond the rate is deferred or rejected: defer or reject'
    when 'ocr_choice__canary_has_a_share' then 'a canary has a share of the documents, above 0 and below 1'
    when 'ocr_choice__automatic_is_a_span' then 'the time after an activation is up to 7 days'
    else 'a number is not whole, or too large'
  end
$$;
comment on function docket.control_bounds(text) is 'What can be set, in words, told by the constraint that a value does not fulfil.';
