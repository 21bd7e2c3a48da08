/** Decides which calls are refused before a program starts, and why. */

import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, own } from '../../core/json/json.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { JsonSchema, ManifestTool } from '../../core/tool/tool.ts'
import { fileStatus, isDirectory } from '../process/command-line.ts'
import { failure, refuseLongInput } from '../sources/run-failure.ts'
import type { CallInput } from '../sources/source.ts'
import type { TreeCallTarget } from './tree-builder.ts'
import { binLanguage, findToolFile, isPlainName } from './tree-files.ts'

/** Returns the failure of a call that must not or cannot start; null if it may. */
export function refuseProgram(
  root: string,
  target: Extract<TreeCallTarget, { kind: 'program' }>,
  tool: ManifestTool,
  input: CallInput,
): SessionEvent | null {
  const { program, words } = target
  if (!isPlainName(program) || words.some(word => word.startsWith('-') || word.includes('\0')))
    return failure(
      'not-found',
      `The name ${JSON.stringify([program, ...words].join(' ').slice(0, 100))} is not the name of a program in bin/: not called.`,
      'The functions.json of this tree is broken or hostile.',
    )
  const path = join(root, 'bin', program)
  const status = fileStatus(path)
  if (status === null) return failure('not-found', missingText(path, program), 'Run the build: `argc build`.')
  if (!status.isFile())
    return failure('not-found', `bin/${program} is not a file.`, 'Run the build: `argc build`.')
  const tooLong = refuseLongInput(
    input.text,
    'llm-functions passes the input as one argument and has no other way. Make it smaller, or let the tool read a file that the input names.',
  )
  if (tooLong !== null || !mayBeShell(root, target)) return tooLong
  // The runner of Bash agents also passes the function's name to `eval`.
  const oddName = words.find(word => !/^[\w-]+$/.test(word))
  const reason =
    oddName === undefined
      ? refuseKeys(input.value, tool.inputSchema)
      : `The function's name ${JSON.stringify(oddName.slice(0, 100))} holds characters that a shell could read as a command.`
  if (reason === null) return null
  return failure(
    'spawn',
    `Not called: ${reason}`,
    'The runner of Bash tools turns keys into command-line words, so an undeclared key could run a command. Such a key never reaches a Bash tool, nor a tool whose language is not known.',
  )
}

/** Returns the failure of a call in a missing directory; the system's own error would blame the program. */
export function refuseDirectory(directory: string): SessionEvent | null {
  if (isDirectory(directory)) return null
  return failure(
    'spawn',
    `Not called: ${directory} is not a directory, and the tools of this source run there.`,
    'Choose another one on the source’s page, or by "directory" in toolscope.json.',
  )
}

/** Returns false only if bin/ runs JavaScript or Python and the source file is not Bash. */
function mayBeShell(root: string, { program, agent }: Extract<TreeCallTarget, { kind: 'program' }>): boolean {
  const language = binLanguage(join(root, 'bin', program))
  const base = agent === undefined ? `tools/${program}` : `agents/${program}/tools`
  return (language !== 'javascript' && language !== 'python') || findToolFile(root, base)?.language === 'bash'
}

function missingText(path: string, program: string): string {
  try {
    if (lstatSync(path).isSymbolicLink())
      return `bin/${program} links to ${readlinkSync(path)}, which does not exist.`
  } catch {
    // The link does not exist either.
  }
  return `The tool is declared, but bin/${program} does not exist.`
}

const plainKey = /^[A-Za-z][A-Za-z0-9_-]*$/

/**
 * Returns null if `schema` declares every key of `input` at its location and each key is plain; else why the call is
 * refused.
 * Keys of the prototype (`constructor`, `__proto__`) count as declared only if the schema itself lists them.
 */
export function refuseKeys(input: unknown, schema: JsonSchema): string | null {
  if (!isObject(input)) return 'A Bash tool takes its input as an object.'
  const waiting: { value: unknown; schema: unknown; path: string }[] = [{ value: input, schema, path: '' }]
  // A work list instead of recursion: hostile depth must not overflow the stack.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next
    if (Array.isArray(value)) {
      const items = isObject(next.schema) ? own(next.schema, 'items') : undefined
      value.forEach((item, index) => {
        if (typeof item === 'object') waiting.push({ value: item, schema: items, path: `${path}/${index}` })
      })
    } else if (isObject(value)) {
      const properties = isObject(next.schema) ? own(next.schema, 'properties') : undefined
      for (const key of Object.keys(value)) {
        const quotedPath = JSON.stringify(`${path}/${key}`.slice(0, 200))
        const declared = isObject(properties) && Object.hasOwn(properties, key)
        if (!declared) return `The tool does not declare the key ${quotedPath}.`
        if (!plainKey.test(key))
          return `The key ${quotedPath} holds characters that a shell could read as a command.`
        waiting.push({ value: value[key], schema: properties[key], path: `${path}/${key}` })
      }
    }
  }
  return null
}
