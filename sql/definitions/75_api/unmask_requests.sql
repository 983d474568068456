-- Who asked to see what is masked. Analysts see their own.
create or replace view docket_api.unmask_requests
with (security_invoker)
as
select
  u.unmask_request_id,
  u.job_id as document_id,
  u.page_no,
  u.reason,
  u.requested_at,
  u.requested_by
from docket.unmask_requests u;
comment on view docket_api.unmask_requests is
  $$Requests to see what is masked; analysts see their own.
@primaryKey unmask_request_id
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName unmaskRequests$$;
comment on column docket_api.unmask_requests.unmask_request_id is
  $$Number of the request.
@notNull$$;
comment on column docket_api.unmask_requests.document_id is
  $$The document.
@notNull$$;
comment on column docket_api.unmask_requests.page_no is
  $$The page; null for the whole document.
@behavior -filterBy -orderBy$$;
comment on column docket_api.unmask_requests.reason is
  $$Why, in words.
@behavior -filterBy -orderBy$$;
comment on column docket_api.unmask_requests.requested_at is
  $$When.
@behavior -filterBy -orderBy$$;
comment on column docket_api.unmask_requests.requested_by is
  $$Who.
@behavior -filterBy -orderBy$$;
