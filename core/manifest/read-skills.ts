/** Reads the entries of skills/list (MCP extension `io.modelcontextprotocol/skills`, SEP-2640). */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { skillFileName, skillFolder, skillsExtension, toSkillPath } from '../tool/skill.ts'
import type { ManifestSkill, SkillContents, SkillFile } from '../tool/tool.ts'
import { entryReport, readEntries, type SurfaceList } from './read-surface.ts'
import { describeValue, without } from './tool-entry.ts'

const maxSkills = 1_000
/** The most that the SDK's servers publish. */
const maxFiles = 512
const digestPattern = /^sha256:[\da-f]{64}$/
/** Agent Skills: lowercase letters, digits and single hyphens. */
const namePattern = /^(?=.{1,64}$)[\da-z]+(?:-[\da-z]+)*$/

type ReportFault = (message: string) => void

export const skillList: SurfaceList<'skills'> = {
  key: 'skills',
  method: 'skills/list',
  isDeclared: ({ extensions }) => isObject(extensions) && own(extensions, skillsExtension) !== undefined,
  read(entries, report) {
    if (entries.length > maxSkills)
      report({
        message: `The server lists ${entries.length} skills; the first ${maxSkills} are read.`,
      })
    const flat = entries.slice(0, maxSkills).map(entry => (isObject(entry) ? flatten(entry) : entry))
    const skills = readEntries(
      flat,
      'uri',
      entryReport('skill', report),
      (entry, text, reportFault, uri): ManifestSkill | undefined => {
        if (skillFolder(uri) === undefined) {
          reportFault(`Its uri is not the address of a ${skillFileName} in a folder; it is left out.`)
          return undefined
        }
        const texts = text(['uri', 'resources'])
        const { name, description = '' } = texts
        if (!namePattern.test(name) || !uri.endsWith(`/${name}/${skillFileName}`))
          reportFault(
            'Its name must be the name of its folder: 1 to 64 lowercase letters, digits and single hyphens.',
          )
        if (description.trim() === '') reportFault('It has no description, so a model cannot choose it.')
        return { uri, ...texts, ...readContents(entry, uri, reportFault) }
      },
    )
    return skills.filter(skill => skill !== undefined)
  },
}

/** Reads the files of one entry, as skills/list or skills/get has it. */
export function readContents(
  entry: UnknownObject,
  skillUri: string,
  reportFault: ReportFault,
): Pick<SkillContents, 'files'> {
  const given = own(entry, 'resources')
  if (given === 'dynamic') return { files: given }
  if (!Array.isArray(given)) {
    reportFault(`Its resources are neither a list nor "dynamic" but ${describeValue(given)}.`)
    return { files: [] }
  }
  if (given.length > maxFiles) reportFault(`It has ${given.length} files; the first ${maxFiles} are read.`)
  const seen = new Set<string>()
  const files = given.slice(0, maxFiles).flatMap((file: unknown, at): SkillFile[] => {
    const [uri, digest, size] = isObject(file) ? ['uri', 'digest', 'size'].map(key => own(file, key)) : []
    if (typeof uri !== 'string' || toSkillPath(skillUri, uri) === undefined) {
      reportFault(`File ${at} is not an address in the folder of the skill; it is left out.`)
      return []
    }
    if (typeof digest !== 'string' || !digestPattern.test(digest) || !isSize(size)) {
      reportFault(`File ${at} has no SHA-256 digest or no size; it is left out.`)
      return []
    }
    if (seen.has(uri)) {
      reportFault(`File ${at} is listed twice; the first entry counts.`)
      return []
    }
    seen.add(uri)
    return [{ uri, digest, size }]
  })
  if (!seen.has(skillUri)) reportFault(`Its resources do not contain ${skillFileName}.`)
  return { files }
}

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Name and description are in the frontmatter, which otherwise stays a field of its own. */
function flatten(entry: UnknownObject): UnknownObject {
  const given = own(entry, 'frontmatter')
  const frontmatter = isObject(given) ? given : {}
  const more = without(frontmatter, ['name', 'description'])
  const { frontmatter: _, name: _name, description: _description, ...rest } = entry
  return {
    ...rest,
    name: own(frontmatter, 'name'),
    description: own(frontmatter, 'description'),
    ...(Object.keys(more).length === 0 ? {} : { frontmatter: more }),
  }
}
