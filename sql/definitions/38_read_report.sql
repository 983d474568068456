-- What the columns of docket.signatures say, read from the report of the checker (src/evidence/signature.ts).
-- Called by: record_signatures, and verify_results, which compares. Not granted to anyone.
create or replace function docket.read_report(p_report text)
returns table (
  format text,
  purpose text,
  status text,
  is_intact boolean,
  digest_matches boolean,
  coverage text,
  later_changes text,
  signer text,
  signer_sha256 bytea,
  trust_anchor_id integer,
  algorithm text,
  signed_at timestamptz,
  signed_at_by text,
  findings text[]
)
language sql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
  select r.format, r.purpose, r.status, r."isIntact", r."digestMatches", r.coverage, r."laterChanges", r.signer,
    decode(r."signerSha256", 'hex'), r."anchorId", r.algorithm, r."signedAt", r."signedAtBy",
    array(select json_array_elements_text(r.findings))
  from json_to_record(p_report::json) as r (
    format text,
    purpose text,
    status text,
    "isIntact" boolean,
    "digestMatches" boolean,
    coverage text,
    "laterChanges" text,
    signer text,
    "signerSha256" text,
    "anchorId" integer,
    algorithm text,
    "signedAt" timestamptz,
    "signedAtBy" text,
    findings json
  )
$$;
comment on function docket.read_report(text) is 'What the report of a checker says, as the columns of docket.signatures.';
