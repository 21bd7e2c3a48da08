#!/usr/bin/env bash
set -eu

# @describe List the largest files below a folder, in bytes.
# @option --folder! <DIR>   The folder to look in
# @option --limit <INT>     How many files
# @flag --hidden            Look at names that begin with a dot as well

folder= limit=10 hidden=false
while [ $# -gt 0 ]; do
  case "$1" in
    --folder) folder="$2"; shift 2 ;;
    --limit) limit="$2"; shift 2 ;;
    --hidden) hidden=true; shift ;;
    *) echo "unknown option: $1" >&2; exit 2 ;;
  esac
done
if [ ! -d "$folder" ]; then
  echo "there is no folder $folder" >&2
  exit 1
fi
if [ "$hidden" = true ]; then skip='*/ '; else skip='*/.*'; fi
if [ -n "${LLM_OUTPUT:-}" ]; then exec >> "$LLM_OUTPUT"; fi
find "$folder" -type f ! -path "$skip" -exec wc -c {} \; | sort -rn | sed "${limit}q"
