#!/usr/bin/env python3
"""Delivers a scan: puts its bytes, inserts its row, reads back where it is.

    deliver.py SOURCE FILE MEDIA_TYPE

DOCKET_URL     where Docket is served, such as https://docket.example
DOCKET_TOKEN   a token of the role sender for that source
PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE   the login of the source

Needs nothing but Python 3 and psycopg2 (Debian: python3-psycopg2).
"""

import base64
import hashlib
import http.client
import json
import os
import sys
import urllib.parse
from datetime import datetime, timezone

import psycopg2

CHUNK = 1024 * 1024


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as scan:
        while chunk := scan.read(CHUNK):
            digest.update(chunk)
    return digest.digest()


def put_object(source, path):
    """Has Docket seal and store the file; returns what it answered. May be repeated: the same bytes give the same object."""
    base = urllib.parse.urlsplit(os.environ["DOCKET_URL"])
    connect = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
    connection = connect(base.netloc, timeout=900)
    with open(path, "rb") as scan:
        connection.request(
            "PUT",
            f"{base.path.rstrip('/')}/objects?{urllib.parse.urlencode({'source': source})}",
            body=scan,
            headers={
                "Authorization": f"Bearer {os.environ['DOCKET_TOKEN']}",
                "Content-Length": str(os.path.getsize(path)),
                # What was damaged on the way is refused (RFC 9530).
                "Content-Digest": f"sha-256=:{base64.b64encode(sha256_of(path)).decode()}:",
            },
        )
        response = connection.getresponse()
        answer = json.load(response)
    connection.close()
    if response.status not in (200, 201):
        sys.exit(f"{response.status} {answer['errors'][0]['extensions']['code']}: {answer['errors'][0]['message']}")
    return answer


def main(source, path, media_type):
    stored = put_object(source, path)
    captured_at = datetime.fromtimestamp(os.path.getmtime(path), timezone.utc)
    connection = psycopg2.connect("")
    with connection, connection.cursor() as cursor:
        cursor.execute(
            """
            insert into docket.submissions
              (source_id, sha256, locator, version, size_bytes, media_type, captured_at)
            values (%s, decode(%s, 'hex'), %s, %s, %s, %s, %s)
            returning job_id
            """,
            (source, stored["sha256"], stored["object"], stored["version"], stored["size_bytes"], media_type, captured_at),
        )
        (job_id,) = cursor.fetchone()
    with connection, connection.cursor() as cursor:
        cursor.execute("select state from docket.submissions where job_id = %s", (job_id,))
        (state,) = cursor.fetchone()
    connection.close()
    print(json.dumps({"object": stored["object"], "job_id": job_id, "state": state}))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
