/**
 * The question that a tool of a tree asks on a terminal before it goes on: it calls `guard_operation.sh` or
 * `guard_path.sh`.
 */
import { join } from 'node:path'
import { readTextFile } from './tree-files.ts'

const maxQuestionLength = 200
const text = String.raw`("(?:[^"\\]|\\.)*"|'[^']*')`
const guardCall = new RegExp(
  String.raw`^[^#\n]*(?:guard_operation\.sh["']?(?:[ \t]+${text})?|guard_path\.sh["']?[ \t]+\S+[ \t]+${text})`,
  'm',
)

/**
 * The question as written, `$argc_…` included; `''` for a call without one of its own; undefined where the source asks
 * nothing. Never throws.
 *
 * @param path the source, relative to the tree
 * @param called only this function of a Bash file; the whole file where it is absent
 */
export function guardQuestion(root: string, path: string, called?: string): string | undefined {
  const source = readSource(join(root, path))
  const found = guardCall.exec(called === undefined ? source : functionBody(source, called))
  if (found === null) return undefined
  return (found[1] ?? found[2] ?? '').slice(1, -1).slice(0, maxQuestionLength)
}

function readSource(path: string): string {
  try {
    return readTextFile(path) ?? ''
  } catch {
    return ''
  }
}

/** From `name() {` to the line that ends it; llm-functions writes `-` of a command as `_` in its function's name too. */
function functionBody(source: string, name: string): string {
  const begin = source.search(
    new RegExp(`^(?:function[ \\t]+)?${name.replace(/[^\w]/g, '.')}[ \\t]*\\(\\)`, 'm'),
  )
  if (begin < 0) return ''
  const end = source.slice(begin).search(/^\}/m)
  return end < 0 ? source.slice(begin) : source.slice(begin, begin + end)
}
