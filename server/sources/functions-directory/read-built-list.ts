import { join } from 'node:path'
import { toAppError } from '../../../core/errors.ts'
import { parseManifestText } from '../../../core/manifest/parse-manifest-text.ts'
import type { ManifestProblem, ManifestTool } from '../../../core/tool/tool.ts'
import { readTextFile } from './tree-files.ts'

export interface BuiltList {
  readonly tools: readonly ManifestTool[]
}

/** A functions.json of the tree. Null where there is none; one that cannot be read is a problem and counts as empty. */
export function readBuiltList(
  root: string,
  path: string,
  log: { readonly problems: ManifestProblem[]; readonly files: string[] },
): BuiltList | null {
  log.files.push(join(root, path))
  try {
    const text = readTextFile(join(root, path))
    if (text === null) return null
    const { tools, problems } = parseManifestText(text)
    log.problems.push(
      ...problems.map(({ index, message, ...rest }) => ({
        ...rest,
        message: `${path}${index === undefined || rest.name !== undefined ? '' : `, entry ${index}`}: ${message}`,
      })),
    )
    return { tools }
  } catch (thrown) {
    const error = toAppError(thrown)
    const detail = error.code === 'internal' && thrown instanceof Error ? thrown.message : error.detail
    log.problems.push({
      message: `${path}: ${detail}`,
      hint: 'Run the build again (`argc build`); it writes the file anew.',
    })
    return { tools: [] }
  }
}
