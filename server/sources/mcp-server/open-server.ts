/** Opens a session with an MCP server. Imported when the first is opened: the MCP client takes long to load. */
import { resolve } from 'node:path'
import { maskWords, secretsOfAddress, secretValues } from '../../../core/secrets/mask-words.ts'
import type { ManifestProblem } from '../../../core/tool/tool.ts'
import { shown } from '../../fetch/fetch-address.ts'
import { resolveProgram, shownCommand } from '../../process/command-line.ts'
import { programEnvironment } from '../program-environment.ts'
import { programFiles } from '../program-files.ts'
import type { Session, SourceContext, SourceSettings } from '../source.ts'
import type { HttpServer, StdioServer } from './config.ts'
import { connectProcess } from './connection.ts'
import { interpolate, interpolateAll } from './environment.ts'
import { connectAddress } from './http-connection.ts'
import { McpSession } from './session.ts'

export function openProcess(config: StdioServer, settings: SourceSettings, context: SourceContext): Session {
  const directory = resolve(context.directory, config.directory ?? '.')
  const { variables, problems } = variablesOf(context)
  const command = config.command.map(word => interpolate(word, variables))
  const own = { ...settings.environment, ...interpolateAll(config.env ?? {}, variables) }
  const environment = programEnvironment(context.environment, { ...settings, environment: own }, 'safe')
  // As written: what a variable stands for may be a secret.
  const label = shownCommand(config.command)
  return new McpSession(
    {
      label,
      problems,
      answerTimeoutMs: settings.listTimeoutMs,
      watch: () => programFiles(command, directory),
      secrets: [...maskWords(command).secrets, ...secretValues(own)],
      connect: (events, signal) =>
        connectProcess(
          { argv: resolveProgram(command, directory, environment), directory, environment, label },
          events,
          signal,
        ),
    },
    context,
  )
}

export function openAddress(config: HttpServer, settings: SourceSettings, context: SourceContext): Session {
  const { variables, problems } = variablesOf(context)
  const address = {
    url: interpolate(config.url, variables),
    headers: interpolateAll(config.headers ?? {}, variables),
    oldStream: config.oldStream === true,
  }
  return new McpSession(
    {
      label: shown(config.url),
      problems,
      answerTimeoutMs: settings.listTimeoutMs,
      secrets: [...secretsOfAddress(address.url), ...secretValues(address.headers)],
      connect: (events, signal) => connectAddress(address, events, signal),
    },
    context,
  )
}

/** Variables come from the environment of the program; each that has no value is a problem that the page shows. */
function variablesOf(context: SourceContext) {
  const problems: ManifestProblem[] = []
  const seen = new Set<string>()
  const unresolved = (written: string) => {
    if (seen.has(written)) return
    seen.add(written)
    problems.push({
      message: `${written} has no value: it was passed on as it is written.`,
      hint: 'Set it in the environment that Toolscope is started from, then restart the source.',
    })
  }
  return {
    problems,
    variables: { environment: context.environment, directory: context.directory, unresolved },
  }
}
