/**
 * The commands, in the order of the help. A run loads only the named one, because each needs only a part of the
 * program.
 */
import type { Command } from './command.ts'

const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  list: async () => (await import('./list.ts')).listCommand,
  help: async () =>
    (await import('./help.ts')).createHelpCommand({ names: commandNames, callableNames, load: loadCommands }),
  discover: async () => (await import('./discover.ts')).discoverCommand,
  call: async () => (await import('./call.ts')).callCommand,
  script: async () => (await import('./script.ts')).scriptCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  compare: async () => (await import('./compare.ts')).compareCommand,
  diff: async () => (await import('./diff.ts')).diffCommand,
  changelog: async () => (await import('./changelog.ts')).changelogCommand,
  snapshot: async () => (await import('./snapshot.ts')).snapshotCommand,
  recording: async () => (await import('./recording.ts')).recordingCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  prompt: async () => (await import('./prompt.ts')).promptCommand,
  lint: async () => (await import('./lint.ts')).lintCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  pin: async () => (await import('./pin.ts')).pinCommand,
  trust: async () => (await import('./trust.ts')).trustCommand,
  token: async () => (await import('./token.ts')).token,
  people: async () => (await import('./people.ts')).peopleCommand,
  skill: async () => (await import('./skill.ts')).skillCommand,
  connect: async () => (await import('./connect.ts')).connectCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  bridge: async () => (await import('./bridge.ts')).bridgeCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  tap: async () => (await import('./tap.ts')).tapCommand,
  mock: async () => (await import('./mock.ts')).mockCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  record: async () => (await import('./record.ts')).recordCommand,
}

export const commandNames: readonly string[] = Object.keys(loaders)

/** Commands that run until they are stopped: without `--json` and without an entry in the manifest. */
const lasting = ['serve', 'bridge', 'mcp', 'mock', 'record', 'replay', 'tap']

/** The commands that return one answer. */
export const callableNames: readonly string[] = commandNames.filter(name => !lasting.includes(name))

/** Loads the commands with these names, or all. Unknown names are ignored. */
export function loadCommands(names: readonly string[] = commandNames): Promise<Command[]> {
  const chosen = Object.entries(loaders).filter(([name]) => names.includes(name))
  return Promise.all(chosen.map(([, load]) => load()))
}
