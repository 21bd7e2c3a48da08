/** Names of a bridge's tools: llm-functions' own spelling, made unique where that spelling makes two of them one. */

/** `Files` and `read-file` → `files_read_file`; without the server's part where its entry says `"prefix": false`. */
export function bridgeName(server: string, tool: string, prefix: boolean): string {
  return (prefix ? `${server}_${tool}` : tool).toLowerCase().replaceAll('-', '_')
}

/** The names in order; the second of a name becomes `name_2`, and a name that is spelt so makes it count on. */
export function uniqueNames(wanted: readonly string[]): string[] {
  const first = new Set(wanted)
  const taken = new Set<string>()
  return wanted.map(name => {
    if (!taken.has(name)) {
      taken.add(name)
      return name
    }
    for (let count = 2; ; count++) {
      const other = `${name}_${count}`
      if (taken.has(other) || first.has(other)) continue
      taken.add(other)
      return other
    }
  })
}
