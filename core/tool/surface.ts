/**
 * Gives the prompts, resources, templates and skills of a server the shape of tools, so that search, form and call work for
 * all.
 */
import { withoutUndefined } from '../json/json.ts'
import { listSkillPaths, skillFileName } from './skill.ts'
import type { Callable, JsonSchema, ManifestPrompt, ManifestSkill, Surface } from './tool.ts'
import { templateVariables } from './uri-template.ts'

/** An entry, and the path that its reference in the catalog is made from. */
export interface SurfaceEntry {
  readonly callable: Callable
  /** `prompts/name`, `resources/uri`, `templates/uri`, `skills/uri`. */
  readonly path: string
}

/**
 * Returns prompts, resources, templates and skills, in this order. Their input is the form of their arguments, variables
 * or files.
 */
export function surfaceEntries({
  prompts,
  resources,
  resourceTemplates,
  skills,
}: Surface): readonly SurfaceEntry[] {
  return [
    ...(prompts ?? []).map(({ arguments: given, ...prompt }): SurfaceEntry => {
      const callable = { ...prompt, kind: 'prompt' as const, inputSchema: promptSchema(given) }
      return { callable, path: `prompts/${prompt.name}` }
    }),
    ...(resources ?? []).map((resource): SurfaceEntry => {
      const callable = { ...resource, kind: 'resource' as const, inputSchema: objectSchema([]) }
      return { callable, path: `resources/${resource.uri}` }
    }),
    ...(resourceTemplates ?? []).map(({ uriTemplate: uri, ...template }): SurfaceEntry => {
      const callable = { ...template, uri, kind: 'template' as const, inputSchema: templateSchema(uri) }
      return { callable, path: `templates/${uri}` }
    }),
    ...(skills ?? []).map(({ files, text, ...skill }): SurfaceEntry => {
      const contents = { files, ...withoutUndefined({ text }) }
      const inputSchema = skillSchema(skill.uri, contents)
      const callable = { ...skill, kind: 'skill' as const, skill: contents, inputSchema }
      return { callable, path: `skills/${skill.uri}` }
    }),
  ]
}

/** Every argument of a prompt is a text, because MCP has no other type for them. */
function promptSchema(given: ManifestPrompt['arguments'] = []): JsonSchema {
  return objectSchema(
    given.map(({ name, title, description, required }) => ({
      name,
      schema: { type: 'string', ...withoutUndefined({ title, description }) },
      isRequired: required === true,
    })),
  )
}

function templateSchema(uriTemplate: string): JsonSchema {
  return objectSchema(
    templateVariables(uriTemplate).map(({ name, isList, isOptional }) => ({
      name,
      schema: isList ? { type: 'array', items: { type: 'string' } } : { type: 'string' },
      isRequired: !isOptional,
    })),
  )
}

/** A skill is read one file at a time. */
function skillSchema(uri: string, { files }: Pick<ManifestSkill, 'files'>): JsonSchema {
  const title = 'File'
  const schema =
    files === 'dynamic'
      ? {
          type: 'string',
          title,
          description: `A path in the skill; ${skillFileName} unless given. With a "/" at its end, a folder.`,
        }
      : { type: 'string', title, enum: listSkillPaths(uri, files), default: skillFileName }
  return objectSchema([{ name: 'file', schema, isRequired: false }])
}

function objectSchema(
  fields: readonly { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean }[],
): JsonSchema {
  const required = [...new Set(fields.filter(field => field.isRequired).map(({ name }) => name))]
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}
