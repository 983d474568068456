#!/bin/sh
# The command docket inside the image. The address of the database, which holds a password, may stay in a file.
set -e
if [ -n "$DATABASE_URL_FILE" ]; then
  DOCKET_DATABASE_URL=$(cat "$DATABASE_URL_FILE")
  export DOCKET_DATABASE_URL
fi
exec node /app/dist/cli/main.js "$@"
