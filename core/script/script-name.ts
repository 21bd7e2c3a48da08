/** The name of a saved script must be a valid file name on every system. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** Returns why a text cannot name a script; undefined if it can. */
export function scriptNameProblem(name: string): string | undefined {
  if (pattern.test(name)) return undefined
  return 'A script’s name has letters, digits, "_", "." and "-", begins with a letter or digit, and has 64 characters at most.'
}
