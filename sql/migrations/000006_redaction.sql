-- Redaction as a separate view: versioned rules, and what they made of each page. Pages themselves are never touched.

create table docket.rule_sets (
  rule_set_id integer generated always as identity,
  name text not null,
  meaning text not null,
  recall json not null default '{}',
  is_wanted boolean not null default true,
  staged_at timestamptz not null default clock_timestamp(),
  staged_by text not null,
  constraint rule_sets_pk primary key (rule_set_id),
  constraint rule_sets__name_uq unique (name),
  constraint rule_sets__recall_is_a_json_object check (recall is json object)
);
comment on table docket.rule_sets is 'Versions of the redaction rules. A name, once used, always means the same rules.';
comment on column docket.rule_sets.rule_set_id is 'Number of the version.';
comment on column docket.rule_sets.name is 'Name by which it is cited.';
comment on column docket.rule_sets.meaning is 'What it is for.';
comment on column docket.rule_sets.recall is 'What was measured of it: kind of data → items planted and found.';
comment on column docket.rule_sets.is_wanted is 'Whether pages are redacted by it: true from staging until another one takes its place.';
comment on column docket.rule_sets.staged_at is 'When it was staged.';
comment on column docket.rule_sets.staged_by is 'Who staged it.';

create table docket.redaction_rules (
  rule_set_id integer not null,
  rule text not null,
  reason text not null,
  document_kind text,
  pattern text,
  validator text,
  region real[],
  meaning text not null,
  constraint redaction_rules_pk primary key (rule_set_id, rule),
  constraint redaction_rules__rule_set_fk foreign key (rule_set_id) references docket.rule_sets (rule_set_id),
  constraint redaction_rules__document_kind_fk foreign key (document_kind) references docket.document_kinds (document_kind),
  constraint redaction_rules__pattern_or_region check ((pattern is null) <> (region is null)),
  constraint redaction_rules__region_is_a_box_in_parts_of_the_page check (
    region is null
    or cardinality(region) = 4 and 0 <= region[1] and region[1] < region[3] and region[3] <= 1
      and 0 <= region[2] and region[2] < region[4] and region[4] <= 1
  )
);
comment on table docket.redaction_rules is 'The rules of each set: patterns with validators, and regions of a kind of document. Append-only.';
comment on column docket.redaction_rules.rule_set_id is 'The set.';
comment on column docket.redaction_rules.rule is 'Name of the rule.';
comment on column docket.redaction_rules.reason is 'Kind of data it masks; shown in place of it.';
comment on column docket.redaction_rules.document_kind is 'Kind of document it is for; null for all.';
comment on column docket.redaction_rules.pattern is 'Regular expression; its group "value", where it has one, is what is masked.';
comment on column docket.redaction_rules.validator is 'Named check that a match must pass: luhn, iban and others.';
comment on column docket.redaction_rules.region is 'Box to mask as [x0, y0, x1, y1] in parts (0 to 1) of the upright page.';
comment on column docket.redaction_rules.meaning is 'What it finds, to a person.';

create table docket.rule_set_activations (
  activation_id integer generated always as identity,
  rule_set_id integer not null,
  is_emergency boolean not null,
  reason text not null,
  activated_at timestamptz not null default clock_timestamp(),
  activated_by text not null,
  constraint rule_set_activations_pk primary key (activation_id),
  constraint rule_set_activations__rule_set_fk foreign key (rule_set_id) references docket.rule_sets (rule_set_id)
);
comment on table docket.rule_set_activations is 'Which rule set was active from when; the last one is. Append-only.';
comment on column docket.rule_set_activations.activation_id is 'Number in order.';
comment on column docket.rule_set_activations.rule_set_id is 'The set.';
comment on column docket.rule_set_activations.is_emergency is 'Whether it became active before all pages were redacted by it.';
comment on column docket.rule_set_activations.reason is 'Why, in words.';
comment on column docket.rule_set_activations.activated_at is 'From when.';
comment on column docket.rule_set_activations.activated_by is 'Who.';

create table docket.redactions (
  rule_set_id integer not null,
  job_id uuid not null,
  attempt integer not null,
  page_count integer not null,
  mask_count integer not null,
  redacted_at timestamptz not null,
  constraint redactions_pk primary key (job_id, rule_set_id, attempt),
  constraint redactions__rule_set_fk foreign key (rule_set_id) references docket.rule_sets (rule_set_id)
);
comment on table docket.redactions is 'Which results have been redacted by which rule set, complete. Without a row here no analyst sees a page.';
comment on column docket.redactions.rule_set_id is 'The rule set.';
comment on column docket.redactions.job_id is 'The job.';
comment on column docket.redactions.attempt is 'Attempt that made the result.';
comment on column docket.redactions.page_count is 'Pages redacted: all of the result.';
comment on column docket.redactions.mask_count is 'Masks on them.';
comment on column docket.redactions.redacted_at is 'When.';

create table docket.redacted_pages (
  rule_set_id integer not null,
  job_id uuid not null,
  attempt integer not null,
  page_no integer not null,
  width_px integer not null,
  height_px integer not null,
  dpi real not null,
  rotation_degrees integer not null,
  angle_degrees real not null,
  verdict text not null,
  confidence real not null,
  text text not null,
  words json not null,
  masks json not null,
  constraint redacted_pages_pk primary key (job_id, rule_set_id, attempt, page_no)
);
comment on table docket.redacted_pages is 'Each page as an analyst may see it. Derived from docket.pages by a rule set; can be made again at any time.';
comment on column docket.redacted_pages.rule_set_id is 'The rule set.';
comment on column docket.redacted_pages.job_id is 'The job.';
comment on column docket.redacted_pages.attempt is 'Attempt that made the result.';
comment on column docket.redacted_pages.page_no is 'Number of the page, from 1.';
comment on column docket.redacted_pages.width_px is 'Width of the page image in pixels.';
comment on column docket.redacted_pages.height_px is 'Height of the page image in pixels.';
comment on column docket.redacted_pages.dpi is 'Resolution of the page image in pixels an inch.';
comment on column docket.redacted_pages.rotation_degrees is 'Clockwise turn that made the page upright.';
comment on column docket.redacted_pages.angle_degrees is 'Skew that was taken out, in degrees.';
comment on column docket.redacted_pages.verdict is 'text, blank or no_text.';
comment on column docket.redacted_pages.confidence is 'Mean confidence over the words, 0 to 100.';
comment on column docket.redacted_pages.text is 'The text; each character of a masked span, white space apart, is replaced by one █.';
comment on column docket.redacted_pages.words is 'The words that no mask touches: array of [text, confidence, x0, y0, x1, y1].';
comment on column docket.redacted_pages.masks is 'Array of {rule, reason, start, length, boxes}: where in the text and on the page, never what.';

create table docket.redaction_todo (
  rule_set_id integer not null,
  job_id uuid not null,
  due_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  constraint redaction_todo_pk primary key (rule_set_id, job_id)
);
comment on table docket.redaction_todo is 'Published results that a wanted rule set has not redacted yet.';
comment on column docket.redaction_todo.rule_set_id is 'The rule set.';
comment on column docket.redaction_todo.job_id is 'The job.';
comment on column docket.redaction_todo.due_at is 'Not before this time; moved ahead while a worker is at it.';
comment on column docket.redaction_todo.tries is 'Times begun so far.';
create index redaction_todo__due_idx on docket.redaction_todo (due_at);
