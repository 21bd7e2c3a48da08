#!/usr/bin/env bash
# Runs a Bash tool: its name, then the JSON. Words are passed on as they are; nothing is evaluated.
set -eu
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export LLM_ROOT_DIR="$root" LLM_TOOL_NAME="$1" LLM_TOOL_CACHE_DIR="$root/cache/$1"
words=()
while IFS= read -r -d '' word; do words+=("$word"); done < <(node "$root/scripts/words.cjs" "${2:-}")
exec bash "$root/tools/$1.sh" ${words[@]+"${words[@]}"}
