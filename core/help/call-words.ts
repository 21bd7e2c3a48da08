import type { Tool } from '../tool/tool.ts'

/**
 * The first words of a call on the command line. Where one source is named, a tool is found by its reference without the
 * source: that source may have another name in the catalog than the command line gives it.
 *
 * @param argument what names the source
 */
export function callWords(
  { ref, source }: Pick<Tool, 'ref' | 'source'>,
  argument: string,
): readonly string[] {
  const path = ref.slice(source.length + 1)
  // A name that begins with a dash would be an option.
  return ['toolscope', 'call', path.startsWith('-') ? ref : path, argument]
}
