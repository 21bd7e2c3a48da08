/** What can be told from a script's text alone about how to run it. Both answers err on the safe side. */

/**
 * Whether the script can tell one failure from another. The engine knows only 0 and 1 for commands of ours; other codes
 * need a function around each, which costs the live output of pipes (see `mayStream`).
 */
export function tellsExitCodes(script: string): boolean {
  return /\$\?|\$\{\?|PIPESTATUS|errexit|\bset\s+-\w*e|\btrap\b|--dry-run/.test(script)
}

/**
 * Whether the engine's live output can be believed: what a loop, a function or a group writes into a pipe, a file or a
 * substitution is told as if it had been written out. The final output is always right.
 */
export function mayStream(script: string, wrapped: boolean): boolean {
  const plain = script.replaceAll('||', ' ')
  const captures = /[|>`]|[$<]\(/.test(plain)
  if (!captures) return true
  const groups =
    /\b(?:for|while|until|if|case|select|function|eval|bash|sh|source|time|coproc)\b|(?<![$<])[({]/
  return !wrapped && !groups.test(plain)
}
