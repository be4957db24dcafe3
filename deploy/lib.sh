# shellcheck shell=bash
# What the scripts of this folder share. Sourced, never run.
# shellcheck disable=SC2034 # its variables are used where it is sourced

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Everything that a run writes lies below this folder; it may be deleted whenever nothing runs.
run_dir=${AGORA_RUN_DIR:-$root/.run}

# Python with the packages of Tests/Contract/requirements.txt, which deploy/setup --test puts there.
python_env=$root/.run/python

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0"): $*"; exit 1; }

# usage: prints the comment at the beginning of the script that was called.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' "$0"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "this needs root and there is no sudo; run as root: $*"
  fi
}

# alive PID WORD: the process runs and has WORD in its command line. The word guards against a number that
# the system has given to another process since; a zombie, which has no command line, counts as dead.
alive() {
  [ -n "$1" ] && grep -qsaF -- "$2" "/proc/$1/cmdline"
}

# gone PID: no such process, or only what its parent has not collected yet.
gone() {
  local stat
  read -r stat <"/proc/$1/stat" || return 0
  [[ ${stat##*) } == Z* ]]
} 2>/dev/null

# end_process PID WORD SECONDS: asks it to end, kills it when it has not after that time, and waits for that.
end_process() {
  alive "$1" "$2" || return 0
  if [ "$3" -gt 0 ]; then kill -TERM "$1" 2>/dev/null; fi
  for ((i = 0; i < $3 * 20; i++)); do
    if gone "$1"; then return 0; fi
    sleep 0.05
  done
  kill -KILL "$1" 2>/dev/null
  for ((i = 0; i < 200; i++)); do
    if gone "$1"; then return 0; fi
    sleep 0.05
  done
  fail "process $1 ($2) does not end"
}

# Closes what the caller has open beyond the standard three: a server that inherited a pipe or a lock
# would keep its reader waiting, or the lock taken, for as long as the server lives.
close_inherited() {
  local fd
  for fd in "/proc/$BASHPID/fd/"*; do
    fd=${fd##*/}
    if [ "$fd" -gt 2 ] && [ "$fd" -ne 255 ]; then eval "exec $fd>&-"; fi
  done 2>/dev/null
  return 0
}

port_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

require_swift() {
  command -v swift >/dev/null || fail "no swift on PATH; install Swift 6.3 or later from https://www.swift.org/install"
}

# The release binary, with Swift's runtime inside: it runs on hosts without Swift. On a terminal the build shows its
# progress; elsewhere only a failure has something to say.
build_release() {
  require_swift
  mkdir -p "$run_dir"
  local log=$run_dir/build.log build=(timeout 1800 swift build --package-path "$root" -c release
    --static-swift-stdlib --product agora-token)
  if [ -t 2 ]; then
    "${build[@]}" >&2
  else
    "${build[@]}" >"$log" 2>&1 || { tail -n 40 "$log" >&2 && false; }
  fi || fail "the release build failed"
  binary=$root/.build/release/agora-token
}
