#!/usr/bin/env bash
# scripts/measure-setup.sh [--empty-cache]: what a newcomer waits for, measured in a fresh clone of the last commit: `npm ci`, the first
# `npx rolecall run`, `npx rolecall view`. Prints seconds, processor time and megabytes, with the limits that we set ourselves.
#   --empty-cache  npm downloads every package again, instead of taking it from its cache
set -euo pipefail
case "${1:-}" in '' | --empty-cache) ;; *) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;; esac
root="$(cd "$(dirname "$0")/.." && pwd)"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
[ "${1:-}" != --empty-cache ] || export npm_config_cache="$folder/npm-cache"
# Answers of earlier runs must not be found.
export ROLECALL_CACHE="$folder/rolecall-cache"
git clone -q "$root" "$folder/rolecall"
cd "$folder/rolecall"

# step NAME LIMIT COMMAND…: the limit is for a machine with nothing else to do.
total=0
step() {
  local name="$1" limit="$2" times
  shift 2
  times="$({ TIMEFORMAT='%R %U %S'; time "$@" > "$folder/out" 2> "$folder/err"; } 2>&1)" || { cat "$folder/out" "$folder/err"; exit 1; }
  read -r real user system <<< "$times"
  total="$(node -p "$total + $real")"
  printf '%-42s %6.1f s   processor %5.1f s   limit %s\n' "$name" "$real" "$(node -p "$user + $system")" "$limit"
}

# The seconds until the first line of a command's results.
first_row() {
  node -e '
    const started = Date.now()
    const child = require("node:child_process").spawn("npx", ["rolecall", "run", "--work-dir", process.argv[1]], { stdio: ["ignore", "pipe", "pipe"] })
    let first
    const note = () => (first ??= (Date.now() - started) / 1000)
    const { existsSync, readdirSync, statSync } = require("node:fs")
    const rows = () => existsSync(process.argv[1]) && readdirSync(process.argv[1], { recursive: true }).some((name) => name.endsWith(".jsonl") && statSync(`${process.argv[1]}/${name}`).size > 0)
    const timer = setInterval(() => rows() && (note(), clearInterval(timer)), 50)
    for (const stream of [child.stdout, child.stderr]) stream.resume()
    child.on("close", (code) => { clearInterval(timer); console.log(first?.toFixed(1)); process.exitCode = code })
  ' "$folder/outputs"
}

load() { node -p 'os.loadavg().map((one) => one.toFixed(1)).join(" ")'; }
echo "$(nproc) processors, Node $(node -v), npm $(npm -v 2> /dev/null), load $(load)"
step 'npm ci' '-' npm ci
cat "$folder/out" "$folder/err" | grep -iE 'warn|deprecated|vulnerab' | grep -v nodedir | sed 's/^/  npm says: /' || true
printf '%-42s %6s MB   limit 350\n' 'node_modules' "$(du -sm node_modules | cut -f1)"
step 'npx rolecall run, the whole table' '25 s' first_row
printf '%-42s %6s s\n' '  its first row on the disk, limit 3 s' "$(cat "$folder/out")"
printf '%-42s %6.1f s   limit 45 s\n' 'from the clone to the whole table' "$total"
step 'npx rolecall view --export, with its build' '-' npx rolecall view --export "$folder/report.html" --limit 2
echo "load $(load)"
