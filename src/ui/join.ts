/** Joins class names, leaving out what is false or absent. */
export function join(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
