-- Each signature of documents, as it was found to be at its last check. Numbers count what the reader may see; which delivery
-- brought it is for those who see its source.
create or replace view docket_api.signatures
with (security_invoker)
as
select
  s.job_id as document_id,
  row_number() over (partition by s.job_id order by s.delivery_id, s.place, s.signature_no)::integer as signature_no,
  case when s.source_id = any (array(select docket.visible_sources())) then s.delivery_id end as delivery_id,
  s.place,
  s.format,
  s.purpose,
  s.status,
  m.meaning,
  s.is_signing,
  s.is_intact,
  s.digest_matches,
  s.coverage,
  s.later_changes,
  s.signer,
  encode(s.signer_sha256, 'hex') as signer_sha256,
  s.anchor,
  s.algorithm,
  s.signed_at,
  s.signed_at_by,
  s.judged_at,
  s.checked_at,
  s.findings,
  s.report::json as report
from docket.document_signatures s
join docket.signature_statuses m on m.status = s.status;
comment on view docket_api.signatures is
  $$What each signature of a document was found to be when it was checked last.
@primaryKey document_id,signature_no
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName signatures
@foreignKey (delivery_id) references submissions (delivery_id)|@fieldName submission|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.signatures.document_id is
  $$The document.
@notNull$$;
comment on column docket_api.signatures.signature_no is
  $$Number among the signatures that you may see, from 1.
@notNull
@behavior -filterBy$$;
comment on column docket_api.signatures.delivery_id is
  $$The delivery that brought it; null where its source is not yours.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.place is
  $$envelope: delivered beside the scan; embedded: inside the scan.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.format is
  $$jws, dsse, cms, timestamp or pdf; unknown where it could not be told.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.purpose is
  $$signature: somebody signed; timestamp: an authority states that the bytes were there at a time.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.status is
  $$What it was found to be: valid, expired_valid_at_signing, revoked, expired, not_yet_valid, unknown_signer, weak_algorithm, unsupported, invalid or malformed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.meaning is
  $$What that means.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.is_signing is
  $$Whether it proves that the signer signed this whole document.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.is_intact is
  $$Whether it fits what it was made over, whoever made it; null where that could not be computed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.digest_matches is
  $$Whether what it was made over are bytes of this document; null where that could not be told.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.coverage is
  $$whole_document, partial or changed_after_signing; null where it was not made over this document.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.later_changes is
  $$What was added since it was made: none, validation_data, signatures, form_filling or other; null where its format does not tell.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.signer is
  $$Subject of the certificate of the signer, or label of the key. Vouched for only where there is an anchor.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.signer_sha256 is
  $$SHA-256 of the DER of that certificate or key, in hex.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.anchor is
  $$Label of the anchor at which trust ended; null where none fits.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.algorithm is
  $$Algorithm of the signature.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.signed_at is
  $$When it was made, as signedAtBy says.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.signed_at_by is
  $$Who says so: the signer, or a trusted time-stamp.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.judged_at is
  $$The time for which certificates and anchors were judged.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.checked_at is
  $$When it was checked.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.findings is
  $$What else was noticed, as codes.
@behavior -filterBy -orderBy$$;
comment on column docket_api.signatures.report is
  $$All that was found. For evidence owners and auditors.
@behavior -filterBy -orderBy$$;
