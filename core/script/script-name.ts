/** Names of saved scripts are names of files, on every system. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** Why a text cannot name a script; undefined where it can. */
export function scriptNameProblem(name: string): string | undefined {
  if (pattern.test(name)) return undefined
  return 'A script’s name has letters, digits, "_", "." and "-", begins with a letter or digit, and has 64 characters at most.'
}
