/** The addresses of a skill's files (MCP extension `io.modelcontextprotocol/skills`, SEP-2640). */
import type { SkillFile } from './tool.ts'

export const skillsExtension = 'io.modelcontextprotocol/skills'

/** Every skill has this file; its address is the skill's. */
export const skillFileName = 'SKILL.md'

/** Returns the address of the skill's folder with `/` at its end; undefined if the address is not that of a SKILL.md. */
export function skillFolder(uri: string): string | undefined {
  const folder = /^([a-z][a-z\d+.-]*:\/\/.*[^/]\/)SKILL\.md$/is.exec(uri)
  return folder?.[1]
}

/** Returns the path of a file below the skill's folder; undefined if the file lies outside it. */
export function toSkillPath(skillUri: string, fileUri: string): string | undefined {
  const folder = skillFolder(skillUri)
  if (folder === undefined || !fileUri.startsWith(folder)) return undefined
  const path = fileUri.slice(folder.length)
  return isSkillPath(path) ? path : undefined
}

/** A path that is still encoded after so many rounds is refused. */
const maxDecodings = 5

/** Whether a path stays in the skill's folder, however often a server decodes it. */
export function isSkillPath(path: string): boolean {
  const decoded = decodeFully(path)
  if (decoded === undefined || /[?#]/.test(path) || /[\\\p{Cc}]/u.test(decoded)) return false
  return decoded.split('/').every(step => step !== '' && step !== '.' && step !== '..')
}

/** Decodes the ASCII characters until none is encoded; undefined if that takes too many rounds. */
function decodeFully(path: string): string | undefined {
  let decoded = path
  for (let round = 0; round < maxDecodings; round++) {
    const next = decoded.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    if (next === decoded) return decoded
    decoded = next
  }
  return undefined
}

/** Returns the paths of the listed files, SKILL.md first. */
export function listSkillPaths(skillUri: string, files: readonly SkillFile[]): readonly string[] {
  const paths = files.flatMap(file => toSkillPath(skillUri, file.uri) ?? [])
  return [...new Set([skillFileName, ...paths])]
}
