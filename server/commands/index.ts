/**
 * The commands, in the order of the help. A run loads only the named one, because each needs only a part of the
 * program.
 */
import type { Command } from './command.ts'

const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  list: async () => (await import('./list.ts')).list,
  help: async () =>
    (await import('./help.ts')).helpCommand({ names: commandNames, callableNames, load: loadCommands }),
  discover: async () => (await import('./discover.ts')).discover,
  call: async () => (await import('./call.ts')).call,
  script: async () => (await import('./script.ts')).script,
  check: async () => (await import('./check.ts')).check,
  compare: async () => (await import('./compare.ts')).compare,
  diff: async () => (await import('./diff.ts')).diff,
  changelog: async () => (await import('./changelog.ts')).changelog,
  snapshot: async () => (await import('./snapshot.ts')).snapshot,
  history: async () => (await import('./history.ts')).history,
  prompt: async () => (await import('./prompt.ts')).prompt,
  lint: async () => (await import('./lint.ts')).lint,
  export: async () => (await import('./export.ts')).exportSite,
  trust: async () => (await import('./trust.ts')).trust,
  token: async () => (await import('./token.ts')).token,
  bridge: async () => (await import('./bridge.ts')).bridge,
  mcp: async () => (await import('./mcp.ts')).mcp,
}

export const commandNames: readonly string[] = Object.keys(loaders)

/** Commands that run until they are stopped: without `--json` and without an entry in the manifest. */
const lasting = ['serve', 'bridge', 'mcp']

/** The commands that return one answer. */
export const callableNames: readonly string[] = commandNames.filter(name => !lasting.includes(name))

/** Loads the commands with these names, or all. Unknown names are ignored. */
export function loadCommands(names: readonly string[] = commandNames): Promise<Command[]> {
  const chosen = Object.entries(loaders).filter(([name]) => names.includes(name))
  return Promise.all(chosen.map(([, load]) => load()))
}
