import { type ManifestTool, nameSegments } from '../../../core/tool/tool.ts'

/**
 * The argv that incur's names start from. Even a sub-program (`desk api`) lists absolute names (`api greet`), so
 * the words that all names repeat are taken off its end.
 */
export function programOfNames(argv: readonly string[], tools: readonly ManifestTool[]): readonly string[] {
  const [first] = tools
  if (first === undefined) return argv
  for (let count = Math.min(argv.length - 1, nameSegments(first.name).length); count > 0; count--) {
    const tail = argv.slice(-count)
    const isPrefix = (tool: ManifestTool) =>
      tail.every((word, position) => nameSegments(tool.name)[position] === word)
    if (tools.every(isPrefix)) return argv.slice(0, -count)
  }
  return argv
}
