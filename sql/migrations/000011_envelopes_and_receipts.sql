-- What was signed, by whom, and what senders are told: checks of signature envelopes, trust, receipts, webhooks, numbered scans.

-- Numbers that a source gives its scans, so that a missing one is noticed.
alter table docket.deliveries add column scan_number bigint;
comment on column docket.deliveries.scan_number is 'Number of the scan in the count that its source keeps, if it keeps one, as the sender states it.';
alter table docket.evidence add column scan_number bigint;
comment on column docket.evidence.scan_number is 'Number of the scan in the count of its source, as stated.';
create index deliveries__numbered_idx on docket.deliveries (source_id, scan_number) where scan_number is not null;

alter table docket.failure_codes add column receipt_outcome text;
alter table docket.failure_codes add constraint failure_codes__receipt_outcome_is_a_refusal
  check (receipt_outcome in ('BENV', 'BSIG'));
comment on column docket.failure_codes.receipt_outcome is
  'What the receipt says of a delivery that was refused for it: BENV or BSIG; null where the fault is none of the packet or its signature.';

create table docket.signature_statuses (
  status text not null,
  rank integer not null,
  is_valid boolean not null,
  failure_code text,
  meaning text not null,
  constraint signature_statuses_pk primary key (status),
  constraint signature_statuses__rank_uq unique (rank)
);
comment on table docket.signature_statuses is 'What a signature can be found to be. Never a mere yes or no.';
comment on column docket.signature_statuses.status is 'Name of the status.';
comment on column docket.signature_statuses.rank is 'Of several signatures the one of the lowest rank speaks for a document.';
comment on column docket.signature_statuses.is_valid is 'Whether it proves that the signer signed.';
comment on column docket.signature_statuses.failure_code is 'Why a document is quarantined, where a signature of this status is not enough.';
comment on column docket.signature_statuses.meaning is 'What it means, in words for people.';

create table docket.trust_anchors (
  trust_anchor_id integer generated always as identity,
  source_id text not null,
  anchor_kind text not null,
  purpose text not null default 'signer',
  label text not null,
  pem text not null,
  der_sha256 bytea not null,
  valid_from timestamptz,
  valid_until timestamptz,
  added_at timestamptz not null default clock_timestamp(),
  added_by text not null,
  withdrawn_at timestamptz,
  withdrawn_by text,
  withdrawn_because text,
  constraint trust_anchors_pk primary key (trust_anchor_id),
  constraint trust_anchors__source_fk foreign key (source_id) references docket.sources (source_id),
  constraint trust_anchors__kind_is_known check (anchor_kind in ('key', 'certificate')),
  constraint trust_anchors__purpose_is_known check (purpose in ('signer', 'timestamp')),
  constraint trust_anchors__label_is_given check (btrim(label) <> '' and length(label) <= 200),
  constraint trust_anchors__hash_has_32_bytes check (octet_length(der_sha256) = 32),
  constraint trust_anchors__ends_after_it_begins check (valid_until > valid_from),
  constraint trust_anchors__withdrawn_with_a_reason check (
    (withdrawn_at is null) = (withdrawn_by is null) and (withdrawn_at is null) = (withdrawn_because is null)
  )
);
comment on table docket.trust_anchors is
  'Whom a source may have signed by: public keys and certificates against which signatures of its deliveries are judged. Kept for ever; withdrawn, never changed.';
comment on column docket.trust_anchors.trust_anchor_id is 'Number of the anchor; named by what was judged against it.';
comment on column docket.trust_anchors.source_id is 'Source whose deliveries are judged against it.';
comment on column docket.trust_anchors.anchor_kind is 'key (SubjectPublicKeyInfo) or certificate (X.509, of the signer or of an authority above).';
comment on column docket.trust_anchors.purpose is 'signer: for signatures; timestamp: for time-stamp authorities.';
comment on column docket.trust_anchors.label is 'Name for people: of the signer, where it is a key.';
comment on column docket.trust_anchors.pem is 'The key or certificate, as PEM.';
comment on column docket.trust_anchors.der_sha256 is 'SHA-256 of its DER.';
comment on column docket.trust_anchors.valid_from is 'From when signatures are believed by it; null: as its certificate says, or always.';
comment on column docket.trust_anchors.valid_until is 'Until when; null: as its certificate says, or for ever.';
comment on column docket.trust_anchors.added_at is 'When it was added.';
comment on column docket.trust_anchors.added_by is 'Who added it.';
comment on column docket.trust_anchors.withdrawn_at is 'When it was withdrawn: nothing is judged against it from then on.';
comment on column docket.trust_anchors.withdrawn_by is 'Who withdrew it.';
comment on column docket.trust_anchors.withdrawn_because is 'Why, in words.';
create unique index trust_anchors__given_once_idx on docket.trust_anchors (source_id, purpose, der_sha256) where withdrawn_at is null;

create table docket.revocation_lists (
  revocation_list_id integer generated always as identity,
  source_id text not null,
  crl bytea not null,
  crl_sha256 bytea not null,
  added_at timestamptz not null default clock_timestamp(),
  added_by text not null,
  constraint revocation_lists_pk primary key (revocation_list_id),
  constraint revocation_lists__source_fk foreign key (source_id) references docket.sources (source_id),
  constraint revocation_lists__given_once_uq unique (source_id, crl_sha256),
  constraint revocation_lists__size_is_bounded check (octet_length(crl) between 1 and 10485760)
);
comment on table docket.revocation_lists is 'Lists of revoked certificates (X.509 CRL) that an operator has given. Append-only.';
comment on column docket.revocation_lists.revocation_list_id is 'Number of the list.';
comment on column docket.revocation_lists.source_id is 'Source for whose signatures it is asked.';
comment on column docket.revocation_lists.crl is 'The list, as DER.';
comment on column docket.revocation_lists.crl_sha256 is 'SHA-256 of it.';
comment on column docket.revocation_lists.added_at is 'When it was given.';
comment on column docket.revocation_lists.added_by is 'Who gave it.';

create table docket.envelope_policies (
  envelope_policy_id integer generated always as identity,
  source_id text,
  document_kind text,
  requirement text not null,
  signers_required integer not null default 1,
  reason text not null,
  set_at timestamptz not null default clock_timestamp(),
  set_by text not null,
  constraint envelope_policies_pk primary key (envelope_policy_id),
  constraint envelope_policies__source_fk foreign key (source_id) references docket.sources (source_id),
  constraint envelope_policies__document_kind_fk foreign key (document_kind) references docket.document_kinds (document_kind),
  constraint envelope_policies__requirement_is_known check (requirement in ('recorded', 'intact', 'signed')),
  constraint envelope_policies__signers_are_few check (signers_required between 1 and 10),
  constraint envelope_policies__reason_is_given check (btrim(reason) <> '')
);
comment on table docket.envelope_policies is
  'Which signatures documents need. Of the rows that fit, the one that names the source comes first, then the one that names the kind, then the newest. Append-only; without a row: intact.';
comment on column docket.envelope_policies.envelope_policy_id is 'Number of the policy.';
comment on column docket.envelope_policies.source_id is 'Source it is for; null: every source.';
comment on column docket.envelope_policies.document_kind is 'Kind of document it is for; null: every kind.';
comment on column docket.envelope_policies.requirement is
  'recorded: whatever was found is recorded; intact: what cannot be read or was altered is refused; signed: so is what has no valid signature over the whole document.';
comment on column docket.envelope_policies.signers_required is 'For signed: how many different signers must have signed.';
comment on column docket.envelope_policies.reason is 'Why, in words.';
comment on column docket.envelope_policies.set_at is 'When it was set.';
comment on column docket.envelope_policies.set_by is 'Who set it.';

create table docket.signatures (
  job_id uuid not null,
  seq integer not null,
  delivery_id bigint not null,
  place text not null,
  signature_no integer not null,
  source_id text not null,
  format text not null,
  purpose text not null,
  status text not null,
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
  judged_at timestamptz not null,
  checked_at timestamptz not null,
  findings text[] not null,
  report text not null,
  constraint signatures_pk primary key (job_id, delivery_id, place, seq, signature_no),
  constraint signatures__status_fk foreign key (status) references docket.signature_statuses (status),
  constraint signatures__anchor_fk foreign key (trust_anchor_id) references docket.trust_anchors (trust_anchor_id),
  constraint signatures__place_is_known check (place in ('envelope', 'embedded')),
  constraint signatures__purpose_is_known check (purpose in ('signature', 'timestamp')),
  constraint signatures__coverage_is_known check (coverage in ('whole_document', 'partial', 'changed_after_signing')),
  constraint signatures__later_changes_are_known
    check (later_changes in ('none', 'validation_data', 'signatures', 'form_filling', 'other')),
  constraint signatures__signing_time_is_somebodys check (signed_at_by in ('signer', 'timestamp')),
  constraint signatures__report_is_a_json_object check (report is json object)
);
comment on table docket.signatures is
  'What each signature of a document was found to be, at each check: who signed which bytes, judged against which anchor, for which time. Append-only until disposal.';
comment on column docket.signatures.job_id is 'The document.';
comment on column docket.signatures.seq is 'The event envelope_checked that proves it; of one delivery and place the highest counts.';
comment on column docket.signatures.delivery_id is 'The delivery that brought the envelope, or the bytes with the signature in them.';
comment on column docket.signatures.place is 'envelope: delivered beside the scan; embedded: inside the scan.';
comment on column docket.signatures.signature_no is 'Number of the signature there, from 1.';
comment on column docket.signatures.source_id is 'Source of the delivery, whose anchors it was judged against.';
comment on column docket.signatures.format is 'jws, dsse, cms, timestamp or pdf; unknown where it could not be told.';
comment on column docket.signatures.purpose is 'signature: somebody signed; timestamp: an authority states that the bytes were there at a time.';
comment on column docket.signatures.status is 'What it was found to be.';
comment on column docket.signatures.is_intact is 'Whether it fits what it was made over, whoever made it; null where that could not be computed.';
comment on column docket.signatures.digest_matches is 'Whether what it was made over are bytes of this document; null where that could not be told.';
comment on column docket.signatures.coverage is 'How much of the document it was made over; null where it was not made over this document.';
comment on column docket.signatures.later_changes is 'What was added to the document after it was signed, where its format allows to tell.';
comment on column docket.signatures.signer is 'Who signed: the subject of the certificate, or the label of the key.';
comment on column docket.signatures.signer_sha256 is 'SHA-256 of the DER of the certificate or key of the signer.';
comment on column docket.signatures.trust_anchor_id is 'The anchor it was judged against; null where none fits.';
comment on column docket.signatures.algorithm is 'Algorithm of the signature.';
comment on column docket.signatures.signed_at is 'When it was signed.';
comment on column docket.signatures.signed_at_by is 'Who says so: the signer, or a trusted time-stamp.';
comment on column docket.signatures.judged_at is 'The time for which certificates and anchors were judged.';
comment on column docket.signatures.checked_at is 'When it was checked.';
comment on column docket.signatures.findings is 'What else was noticed, as codes.';
comment on column docket.signatures.report is 'All that was found, as a JSON object; its text is hashed as it stands.';

create table docket.envelope_checks (
  delivery_id bigint not null,
  job_id uuid not null,
  judged_at timestamptz,
  ordered_by text,
  due_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  constraint envelope_checks_pk primary key (delivery_id)
);
comment on table docket.envelope_checks is
  'Deliveries of verified documents whose envelopes (and, of the evidence, the signatures in the scan) are to be checked.';
comment on column docket.envelope_checks.delivery_id is 'The delivery.';
comment on column docket.envelope_checks.job_id is 'Its document.';
comment on column docket.envelope_checks.judged_at is 'The time to judge for; null: when the delivery was received.';
comment on column docket.envelope_checks.ordered_by is 'Who ordered to judge it anew; null where nobody did.';
comment on column docket.envelope_checks.due_at is 'When to check it; while it is being checked, when somebody else may.';
comment on column docket.envelope_checks.tries is 'How often it was begun; 0 again when it was ordered anew.';
create index envelope_checks__due_idx on docket.envelope_checks (due_at);
create index envelope_checks__job_idx on docket.envelope_checks (job_id);
-- what was verified before signatures were checked; over a day, so that what comes now does not wait for it
insert into docket.envelope_checks (delivery_id, job_id, due_at)
select d.delivery_id, d.job_id, clock_timestamp() + random() * interval '1 day'
from docket.evidence e
join docket.deliveries d on d.job_id = e.job_id
where (d.envelope is not null or d.delivery_id = e.delivery_id and e.media_type = 'application/pdf')
  and exists (select from docket.job_salts s where s.job_id = e.job_id)
  and exists (select from docket.document_sources s where s.job_id = e.job_id and s.source_id = d.source_id)
  and not exists (select from docket.arrivals a where a.delivery_id = d.delivery_id);

create table docket.receipt_keys (
  key_id text not null,
  public_jwk text not null,
  added_at timestamptz not null default clock_timestamp(),
  added_by text not null,
  constraint receipt_keys_pk primary key (key_id),
  constraint receipt_keys__jwk_is_a_json_object check (public_jwk is json object)
);
comment on table docket.receipt_keys is 'Public halves of the keys by which receipts were ever signed. Append-only.';
comment on column docket.receipt_keys.key_id is 'RFC 7638 thumbprint of the key: a hint which one to try.';
comment on column docket.receipt_keys.public_jwk is 'The public key, as a JSON Web Key.';
comment on column docket.receipt_keys.added_at is 'When it was first used.';
comment on column docket.receipt_keys.added_by is 'Who used it.';

create table docket.receipt_orders (
  delivery_id bigint not null,
  job_id uuid not null,
  due_at timestamptz not null default clock_timestamp() + interval '1 second',
  tries integer not null default 0,
  constraint receipt_orders_pk primary key (delivery_id)
);
comment on table docket.receipt_orders is 'Deliveries whose senders are still to be told something.';
comment on column docket.receipt_orders.delivery_id is 'The delivery.';
comment on column docket.receipt_orders.job_id is 'Its document.';
comment on column docket.receipt_orders.due_at is
  'When to look what there is to tell; while a receipt is being signed, when somebody else may.';
comment on column docket.receipt_orders.tries is 'How often a receipt was begun; 0 again when it was ordered anew.';
create index receipt_orders__due_idx on docket.receipt_orders (due_at, delivery_id);
create index receipt_orders__job_idx on docket.receipt_orders (job_id);

create table docket.receipts (
  receipt_id uuid not null,
  receipt_no bigint generated always as identity,
  delivery_id bigint not null,
  source_id text not null,
  job_id uuid not null,
  seq integer not null,
  outcome text not null,
  code text,
  issued_at timestamptz not null,
  key_id text not null,
  jws text not null,
  constraint receipts_pk primary key (receipt_id),
  constraint receipts__told_once_uq unique (delivery_id, seq, outcome),
  constraint receipts__key_fk foreign key (key_id) references docket.receipt_keys (key_id),
  constraint receipts__outcome_is_known check (outcome in ('PEND', 'RECE', 'DUPE', 'BENV', 'BSIG')),
  constraint receipts__jws_is_compact check (jws ~ '^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$')
);
comment on table docket.receipts is 'What senders were told of their deliveries, signed. Append-only.';
comment on column docket.receipts.receipt_id is 'The receipt; its jti.';
comment on column docket.receipts.receipt_no is 'Number in order of issue.';
comment on column docket.receipts.delivery_id is 'The delivery it answers.';
comment on column docket.receipts.source_id is 'Source of the delivery.';
comment on column docket.receipts.job_id is 'Its document.';
comment on column docket.receipts.seq is 'The event that it tells of.';
comment on column docket.receipts.outcome is
  'PEND: the hash is claimed, the bytes were not seen; RECE: the bytes were seen; DUPE: they had been before; BENV: the packet is refused; BSIG: its signature is.';
comment on column docket.receipts.code is 'Failure code, where something failed.';
comment on column docket.receipts.issued_at is 'When it was issued.';
comment on column docket.receipts.key_id is 'Key by which it is signed.';
comment on column docket.receipts.jws is 'The receipt: a compact JWS, EdDSA.';
create index receipts__of_job_idx on docket.receipts (job_id, seq);

create table docket.webhooks (
  webhook_id integer generated always as identity,
  source_id text not null,
  url text not null,
  is_enabled boolean not null default true,
  failures integer not null default 0,
  resting_until timestamptz,
  last_failure text,
  added_at timestamptz not null default clock_timestamp(),
  added_by text not null,
  constraint webhooks_pk primary key (webhook_id),
  constraint webhooks__source_fk foreign key (source_id) references docket.sources (source_id),
  constraint webhooks__given_once_uq unique (source_id, url),
  constraint webhooks__url_is_safe check (
    url ~ '^(https://[A-Za-z0-9.:\[\]-]+|http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?)([/?][!-"$-\[\]-~]*)?$'
    and length(url) <= 2000
  )
);
comment on table docket.webhooks is 'Where receipts of a source are sent as they are issued.';
comment on column docket.webhooks.webhook_id is 'Number of the webhook.';
comment on column docket.webhooks.source_id is 'Source whose receipts are sent.';
comment on column docket.webhooks.url is 'Where to: https, or this machine; without user, password and fragment.';
comment on column docket.webhooks.is_enabled is 'Whether it is sent to now; what is not sent waits.';
comment on column docket.webhooks.failures is 'How often it failed since it last acknowledged a message.';
comment on column docket.webhooks.resting_until is 'Until when a receiver that failed is left alone.';
comment on column docket.webhooks.last_failure is 'What went wrong last.';
comment on column docket.webhooks.added_at is 'When it was added.';
comment on column docket.webhooks.added_by is 'Who added it.';

create table docket.webhook_messages (
  webhook_message_id bigint generated always as identity,
  webhook_id integer not null,
  receipt_id uuid not null,
  job_id uuid not null,
  due_at timestamptz not null default clock_timestamp(),
  is_being_sent boolean not null default false,
  tries integer not null default 0,
  acknowledged_at timestamptz,
  last_failure text,
  constraint webhook_messages_pk primary key (webhook_message_id),
  constraint webhook_messages__webhook_fk foreign key (webhook_id) references docket.webhooks (webhook_id),
  constraint webhook_messages__receipt_fk foreign key (receipt_id) references docket.receipts (receipt_id),
  constraint webhook_messages__sent_for_one_receipt_uq unique (webhook_id, receipt_id)
);
comment on table docket.webhook_messages is 'Receipts that are sent to a webhook, each until it is acknowledged.';
comment on column docket.webhook_messages.webhook_message_id is
  'Number of the message, in order of issue: a document''s messages are sent in this order.';
comment on column docket.webhook_messages.webhook_id is 'Where to.';
comment on column docket.webhook_messages.receipt_id is 'What.';
comment on column docket.webhook_messages.job_id is 'The document.';
comment on column docket.webhook_messages.due_at is 'When to send it; while it is being sent, when somebody else may.';
comment on column docket.webhook_messages.is_being_sent is 'Whether it was handed out, and nobody told since how that ended.';
comment on column docket.webhook_messages.tries is 'How often it was handed out.';
comment on column docket.webhook_messages.acknowledged_at is 'When the receiver answered that it has it.';
comment on column docket.webhook_messages.last_failure is 'What went wrong last.';
-- in the order in which they are claimed, so that of thousands the first few alone are looked at
create index webhook_messages__waiting_idx on docket.webhook_messages (webhook_id, due_at, webhook_message_id)
  where acknowledged_at is null;
create index webhook_messages__order_idx on docket.webhook_messages (webhook_id, job_id, webhook_message_id)
  where acknowledged_at is null;

-- their parameters change
drop function if exists docket.record_verified(uuid[], integer[], uuid[], bigint[], text[]);
drop function if exists docket.packet_bytes(bytea, bigint, text, text, text, text, text, timestamptz, timestamptz, date, json, bytea);
