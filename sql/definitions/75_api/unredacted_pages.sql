-- The shape of a page as read_text answers it. Nothing is read from here: each reading is an event.
create or replace view docket_api.unredacted_pages
with (security_invoker)
as
select
  null::uuid as document_id,
  null::integer as page_no,
  null::integer as attempt,
  null::integer as width_px,
  null::integer as height_px,
  null::real as dpi,
  null::integer as rotation_degrees,
  null::real as angle_degrees,
  null::text as verdict,
  null::real as confidence,
  null::text as text,
  null::json as words
where false;
comment on view docket_api.unredacted_pages is E'A page as it was recognised, nothing masked.\n@name unredacted_page\n@behavior -query:resource:list -query:resource:connection -query:resource:single -filterBy -orderBy -insert -update -delete';
comment on column docket_api.unredacted_pages.document_id is E'The document.\n@notNull';
comment on column docket_api.unredacted_pages.page_no is E'Number of the page, from 1.\n@notNull';
comment on column docket_api.unredacted_pages.attempt is 'Attempt that recognised it.';
comment on column docket_api.unredacted_pages.width_px is 'Width of the page image in pixels.';
comment on column docket_api.unredacted_pages.height_px is 'Height of the page image in pixels.';
comment on column docket_api.unredacted_pages.dpi is 'Resolution of the page image in pixels an inch.';
comment on column docket_api.unredacted_pages.rotation_degrees is 'Clockwise turn that made the page upright.';
comment on column docket_api.unredacted_pages.angle_degrees is 'Skew that was taken out, in degrees.';
comment on column docket_api.unredacted_pages.verdict is 'text, blank or no_text.';
comment on column docket_api.unredacted_pages.confidence is 'Mean confidence over the words, 0 to 100.';
comment on column docket_api.unredacted_pages.text is 'The text.';
comment on column docket_api.unredacted_pages.words is 'The words: [text, confidence, x0, y0, x1, y1] in pixels of the page image.';
