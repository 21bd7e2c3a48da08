/** PostgreSQL refuses NUL in a text and SQLite ends there; neither keeps half of a surrogate pair. */
export function storable(text: string, longest: number): string {
  return Buffer.from(text.slice(0, longest), 'utf8').toString('utf8').replaceAll('\0', '\uFFFD')
}
