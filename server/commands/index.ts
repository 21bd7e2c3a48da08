/** The commands, in the order of the help. A run loads the one that is named: each needs a part of the program only. */
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
  bridge: async () => (await import('./bridge.ts')).bridge,
  mcp: async () => (await import('./mcp.ts')).mcp,
}

export const commandNames: readonly string[] = Object.keys(loaders)

/** These go on until they are stopped: no `--json`, no entry in the manifest. */
const lasting = ['serve', 'bridge', 'mcp']

/** Those that answer once. */
export const callableNames: readonly string[] = commandNames.filter(name => !lasting.includes(name))

/** The commands with these names, or all. Other names are left out. */
export function loadCommands(names: readonly string[] = commandNames): Promise<Command[]> {
  const chosen = Object.entries(loaders).filter(([name]) => names.includes(name))
  return Promise.all(chosen.map(([, load]) => load()))
}
