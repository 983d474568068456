#!/bin/sh
# Delivers a scan with curl and psql: puts its bytes, inserts its row, reads back where it is.
#
#   deliver.sh SOURCE FILE MEDIA_TYPE
#
# DOCKET_URL     where Docket is served, such as https://docket.example
# DOCKET_TOKEN   a token of the role sender for that source
# PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE   the login of the source
set -eu
source=$1 file=$2 media_type=$3

# What was damaged on the way is refused (RFC 9530).
digest=$(openssl dgst -sha256 -binary "$file" | openssl base64)
captured_at=$(date -u -r "$file" +%Y-%m-%dT%H:%M:%SZ)

# The token comes on standard input: arguments of a process can be seen by others.
stored=$(
  printf 'header = "authorization: Bearer %s"\n' "$DOCKET_TOKEN" |
    curl --config - --silent --show-error --fail-with-body --retry 3 --upload-file "$file" \
      --header "content-digest: sha-256=:$digest:" "$DOCKET_URL/objects?source=$source"
) || {
  echo "$stored" >&2
  exit 1
}

# The answer is JSON, which Postgres can take apart.
psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 \
  --set=stored="$stored" --set=source="$source" --set=media_type="$media_type" --set=captured_at="$captured_at" <<'SQL'
insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at)
select :'source', decode(stored ->> 'sha256', 'hex'), stored ->> 'object', stored ->> 'version',
  (stored ->> 'size_bytes')::bigint, :'media_type', :'captured_at'::timestamptz
from (select :'stored'::json) as answer (stored)
returning job_id
\gset
select json_build_object('object', :'stored'::json ->> 'object', 'job_id', job_id, 'state', state)
from docket.submissions
where job_id = :'job_id';
SQL
