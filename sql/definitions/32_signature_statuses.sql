-- What a signature can be found to be. Of several the one of the lowest rank speaks for a document.
insert into docket.signature_statuses (status, rank, is_valid, failure_code, meaning)
values
  ('valid', 1, true, null, 'It is intact, and leads to a trust anchor that was valid at the time it is judged for.'),
  ('expired_valid_at_signing', 2, true, null, 'It is intact; the certificate of the signer had expired at the time it is judged for, but was valid when a trusted time-stamp, or else the signer, says it was signed.'),
  ('revoked', 3, false, 'SIGNER_REVOKED', 'It is intact, but the certificate of the signer had been revoked.'),
  ('expired', 4, false, 'SIGNER_EXPIRED', 'It is intact, but the certificate or anchor had expired before it was signed.'),
  ('not_yet_valid', 5, false, 'SIGNER_EXPIRED', 'It is intact, but the certificate or anchor was not valid yet.'),
  ('unknown_signer', 6, false, 'SIGNER_UNKNOWN', 'It is intact as far as can be told, but leads to no trust anchor of the source.'),
  ('weak_algorithm', 7, false, 'SIGNATURE_WEAK', 'Its algorithm proves nothing: anybody, or whoever checks it, could have made it.'),
  ('unsupported', 8, false, 'SIGNATURE_UNSUPPORTED', 'Its algorithm cannot be checked here, so nothing is known of it.'),
  ('absent', 9, false, 'SIGNATURE_MISSING', 'There is no signature.'),
  ('invalid', 10, false, 'SIGNATURE_INVALID', 'It does not fit this document: it or the document was altered, or it signs something else.'),
  ('malformed', 11, false, 'CORRUPT_ENVELOPE', 'It cannot be read.')
on conflict (status) do update set
  rank = excluded.rank,
  is_valid = excluded.is_valid,
  failure_code = excluded.failure_code,
  meaning = excluded.meaning;
