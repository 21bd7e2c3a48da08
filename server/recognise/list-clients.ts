/** Lists the servers in the files of other clients for the page. It starts none of them. */
import type { ClientFileState, ClientServer } from '../../core/api/clients.ts'
import { toAppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { fileStatus } from '../process/command-line.ts'
import { isOwned } from '../process/owner.ts'
import type { SourceSpec } from '../sources/source.ts'
import { type ClientFile, type Machine, projectFiles, userFiles } from './client-files.ts'
import { mcpSource } from './detect-source.ts'
import { type McpJsonServer, readMcpJson, serverId } from './mcp-json.ts'

/** Returns the folder's files, then the user's. In the home directory, some paths are both and are listed once. */
export function clientFiles(machine: Machine, directory: string): readonly ClientFile[] {
  const users = userFiles(machine)
  const isUsers = ({ path }: ClientFile) => users.some(file => file.path === path)
  return [...projectFiles(directory, machine.platform).filter(file => !isUsers(file)), ...users]
}

/**
 * Returns the files that name a server or cannot be read. A broken file does not affect the others.
 *
 * @param sourceOf returns the name of a server's source in the catalog
 */
export function listClients(
  files: readonly ClientFile[],
  sourceOf: (spec: SourceSpec) => string | undefined,
): readonly ClientFileState[] {
  return files.flatMap(file => {
    try {
      if (!fileStatus(file.path)?.isFile()) return []
      if (!isOwned(file.path))
        return [{ ...file, problem: 'Another user owns this file: it was not read.', servers: [] }]
      const servers = readMcpJson(file.path) ?? []
      return servers.length === 0 ? [] : [{ ...file, servers: servers.map(each => toState(each, sourceOf)) }]
    } catch (thrown) {
      return [{ ...file, problem: toAppError(thrown).detail, servers: [] }]
    }
  })
}

function toState(server: McpJsonServer, sourceOf: (spec: SourceSpec) => string | undefined): ClientServer {
  const { name, config, project, disabled, inputs = [] } = server
  const spec = mcpSource(server)
  const problem = 'broken' in config ? config.broken : undefined
  return {
    id: serverId(server),
    name,
    about: problem === undefined ? spec.label : '',
    isDisabled: disabled,
    inputs,
    ...withoutUndefined({ project, problem, source: sourceOf(spec) }),
  }
}
