/** An agent's folder: what index.yaml says of it. */

import { realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { messageOf } from '../../core/errors.ts'
import { isObject, own, withoutUndefined } from '../../core/json/json.ts'
import {
  type AgentDefinition,
  type AgentDocument,
  type AgentVariable,
  builtInVariables,
  variableEnvironmentName,
} from '../../core/tool/agent.ts'
import type { ManifestProblem } from '../../core/tool/tool.ts'
import { fileStatus } from '../process/command-line.ts'
import { readTextFile } from './tree-files.ts'

type Index = Omit<AgentDefinition, 'ownTools' | 'sharedTools'>

const maxYamlCharacters = 1_000_000

/** Reads `agents/<name>/index.yaml` below `root`. Never throws: what is wrong is a problem, the rest stands. */
export function readAgentIndex(root: string, name: string): Index {
  const folder = join(root, 'agents', name)
  const problems: ManifestProblem[] = []
  const complain = (message: string, hint?: string) =>
    problems.push({ name, message: `agents/${name}/index.yaml: ${message}`, ...(hint ? { hint } : {}) })
  const yaml = readYaml(join(folder, 'index.yaml'), complain)
  const fields = isObject(yaml) ? yaml : {}
  const text = (key: string) => {
    const value = own(fields, key)
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    if (value !== undefined && value !== null) complain(`"${key}" is not a text.`)
    return undefined
  }
  const list = (key: string): readonly unknown[] => {
    const value = own(fields, key)
    if (Array.isArray(value)) return value
    if (value !== undefined && value !== null) complain(`"${key}" is not a list.`)
    return []
  }
  const texts = (key: string) =>
    list(key).filter(entry => {
      if (typeof entry !== 'string') complain(`an entry of "${key}" is not a text.`)
      return typeof entry === 'string'
    }) as string[]
  const title = text('name')
  const description = text('description')
  const version = text('version')
  return {
    name,
    ...(title === undefined || title === name ? {} : { title }),
    ...withoutUndefined({ description, version }),
    instructions: text('instructions') ?? '',
    ...(own(fields, 'dynamic_instructions') === true ? { dynamicInstructions: true as const } : {}),
    variables: list('variables').flatMap(entry => readVariable(entry, complain)),
    conversationStarters: texts('conversation_starters'),
    documents: texts('documents').map(path => readDocument(folder, path)),
    problems,
  }
}

function readYaml(path: string, complain: (message: string, hint?: string) => void): unknown {
  try {
    const text = readTextFile(path)
    if (text === null) {
      complain(
        'there is no such file.',
        'An agent is described by its index.yaml; without it only its tools are shown.',
      )
      return {}
    }
    if (text.length > maxYamlCharacters) throw new Error('it is longer than 1,000,000 characters')
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false })
    for (const error of document.errors.slice(0, 5))
      complain(`line ${lines.linePos(error.pos[0]).line}: ${error.message}`)
    // Aliases that expand to more than this are an attack, not an agent.
    return document.toJS({ maxAliasCount: 100 })
  } catch (thrown) {
    complain(messageOf(thrown))
    return {}
  }
}

function readVariable(entry: unknown, complain: (message: string, hint?: string) => void): AgentVariable[] {
  const fields = isObject(entry) ? entry : {}
  const name = own(fields, 'name')
  if (typeof name !== 'string' || variableEnvironmentName(name) === null) {
    complain(
      `a variable has ${typeof name === 'string' ? `the name ${JSON.stringify(name.slice(0, 60))}` : 'no name'}.`,
      'A variable’s name holds letters, digits, _ and - only.',
    )
    return []
  }
  if (Object.hasOwn(builtInVariables, name))
    complain(`the variable "${name}" is built in and cannot be declared.`)
  const description = own(fields, 'description')
  const fallback = own(fields, 'default')
  return [
    {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(fallback === undefined || fallback === null || typeof fallback === 'object'
        ? {}
        : { default: String(fallback) }),
    },
  ]
}

/** Only what lies in the agent's own folder is looked at, and only whether it is there. */
function readDocument(folder: string, path: string): AgentDocument {
  if (/^https?:\/\//i.test(path)) return { path, kind: 'url' }
  const full = resolve(folder, path)
  try {
    const inside = (place: string, of: string) => place === of || place.startsWith(of + sep)
    if (!inside(full, folder)) return { path, kind: 'outside' }
    const status = fileStatus(full)
    if (status === null) return { path, kind: /[*?{]/.test(path) ? 'pattern' : 'missing' }
    if (!inside(realpathSync(full), realpathSync(folder))) return { path, kind: 'outside' }
    return status.isDirectory() ? { path, kind: 'directory' } : { path, kind: 'file', size: status.size }
  } catch {
    return { path, kind: 'missing' }
  }
}
