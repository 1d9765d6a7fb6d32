#!/usr/bin/env bash
# Tests the installed service under a real systemd of a user: install, start, watchdog,
# crash, uninstall. The systemd runs in namespaces of its own,
# with a home folder of its own. Where it cannot start, the script says why and ends.
# usage: e2e-service.sh BINARY
set -euo pipefail
binary=$(realpath "$1")
skip() { echo "skipped: $1"; exit 0; }
systemd=/lib/systemd/systemd
[ -x "$systemd" ] || skip "there is no systemd"
[ "$(id -u)" = 0 ] || skip "only root can make the namespaces"
if [ -z "${INSIDE:-}" ]; then
  INSIDE=1 unshare --mount --cgroup --pid --fork --mount-proc true 2>/dev/null || skip "this machine allows no namespaces"
  INSIDE=1 exec unshare --mount --cgroup --pid --fork --mount-proc "$0" "$binary"
fi

mount -t tmpfs none /run
mkdir -p /run/systemd/system # systemd --user wants a machine that booted with systemd
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null || skip "there is no cgroup v2"
cgroup=$(mktemp -d /sys/fs/cgroup/memory-test.XXXX)
echo $$ >"$cgroup/cgroup.procs"
tmp=/run/test
export HOME=$tmp/home XDG_RUNTIME_DIR=$tmp/run PATH=$tmp/bin:$PATH
unset MEMORY_CONFIG MEMORY_STATE_DIR MEMORY_WORKSPACE OPENCLAW_STATE_DIR
mkdir -p "$HOME" "$tmp/bin" "$tmp/notes/memory"
mkdir -m 700 "$XDG_RUNTIME_DIR"
cp "$binary" "$tmp/bin/memory"
echo '- The kettle descales with citric acid' >"$tmp/notes/MEMORY.md"
chown -R nobody "$tmp" "$cgroup"
as_user() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
as_user env SYSTEMD_LOG_TARGET=console "$systemd" --user 2>"$tmp/systemd.log" &
for _ in $(seq 50); do as_user systemctl --user is-system-running >/dev/null 2>&1 && break || sleep 0.2; done
as_user systemctl --user show-environment >/dev/null 2>&1 || skip "systemd does not start: $(tail -1 "$tmp/systemd.log")"

fail() { echo "FAILED: $1"; as_user systemctl --user status memory-tiered --no-pager || true; cat "$HOME/.openclaw/memory/logs/memory.log" "$tmp/systemd.log"; exit 1; }
step() { echo "- $1"; }
# prints PATTERN COMMAND... runs a command of the user, and looks at all that it prints.
prints() { grep -q -- "$1" <<<"$(as_user "${@:2}")"; }
pid() { as_user systemctl --user show memory-tiered -p MainPID --value; }
until_true() { for _ in $(seq 150); do "$@" && return 0 || sleep 0.2; done; return 1; }
answers() { prints '"pid"' memory status --json 2>/dev/null; }
other_pid() { [ "$(pid)" != "$1" ] && [ "$(pid)" != 0 ] && answers; }

step "install starts the service"
as_user memory service install >"$tmp/out" || fail "install: $(cat "$tmp/out")"
grep -q '^it runs' "$tmp/out" || fail "install says: $(cat "$tmp/out")"
answers || fail "the service does not answer"
as_user memory workspace add "$tmp/notes" >/dev/null
prints citric memory -w notes search kettle || fail "the memory is not found"

step "a decision writes the Markdown from inside the sandbox"
as_user memory -w notes pin --query kettle --yes >/dev/null || fail "pin"
grep -q pinned "$tmp/notes/MEMORY.md" || fail "the file has no pin"

step "a crash: systemd starts the service again"
first=$(pid); kill -9 "$first"
until_true other_pid "$first" || fail "no new service after a crash"

step "a stopped service: the watchdog ends it, and systemd starts another one"
as_user mkdir -p "$HOME/.config/systemd/user/memory-tiered.service.d"
printf '[Service]\nWatchdogSec=2\n' >"$HOME/.config/systemd/user/memory-tiered.service.d/test.conf"
as_user systemctl --user daemon-reload
as_user memory service restart >/dev/null || fail "restart"
second=$(pid); kill -STOP "$second"
until_true other_pid "$second" || fail "the watchdog did not end a stopped service"

step "stop, start, uninstall"
prints 'it is stopped' memory service stop || fail "stop"
prints 'it runs' memory service start || fail "start"
prints serving memory service logs -n 5 || fail "logs"
prints 'not installed' memory service uninstall || fail "uninstall"
[ ! -e "$HOME/.config/systemd/user/memory-tiered.service" ] || fail "the unit is still there"
[ "$(as_user systemctl --user is-active memory-tiered)" = inactive ] || fail "the service still runs"
version=$("$systemd" --version)
echo "the service passed under ${version%%$'\n'*}"
