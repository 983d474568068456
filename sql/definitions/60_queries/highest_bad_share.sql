-- The share of bad documents that a random sample leaves possible: the upper end of the Clopper–Pearson interval, one-sided, that is
-- the largest p for which as few bad ones as were found, of as many as were checked, are not less likely than 1 - confidence. With
-- none found it is 1 - (1 - confidence)^(1/checked). Formula and limits: docs/replay.md.
-- Called by: replay_summaries. Granted to operators and auditors.
create or replace function docket.highest_bad_share(
  p_checked bigint,
  p_failed bigint,
  p_confidence double precision
)
returns double precision
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_low double precision := 0;
  v_high double precision := 1;
  v_p double precision;
  v_term double precision;
  v_sum double precision;
begin
  if p_failed >= p_checked then
    return 1;
  end if;
  -- the distribution function falls as p grows: halve until nothing is left to halve
  for v_step in 1 .. 60 loop
    v_p := (v_low + v_high) / 2;
    exit when v_p <= v_low or v_p >= v_high;
    -- in logarithms, for the first terms can be smaller than any number
    v_term := p_checked * ln(1 - v_p);
    v_sum := 0;
    for v_bad in 0 .. p_failed loop
      v_sum := v_sum + case when v_term > -700 then exp(v_term) else 0 end;
      v_term := v_term + ln((p_checked - v_bad)::double precision / (v_bad + 1)) + ln(v_p) - ln(1 - v_p);
    end loop;
    if v_sum > 1 - p_confidence then
      v_low := v_p;
    else
      v_high := v_p;
    end if;
  end loop;
  return v_high;
end;
$$;
comment on function docket.highest_bad_share(bigint, bigint, double precision) is
  'The largest share of bad documents that a sample with so many failures of so many leaves possible, with a confidence.';
