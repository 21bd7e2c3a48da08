/** zod schemas of the domain's types, for the answers that contain them. The compiler compares each with its type. */
import { z } from 'zod'
import type { AppErrorCode, AppErrorShape } from '../errors.ts'
import type {
  Icon,
  JsonSchema,
  ManifestProblem,
  ManifestTool,
  SkillContents,
  ToolAnnotations,
} from './tool.ts'

const jsonSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]) satisfies z.ZodType<JsonSchema>

export const toolAnnotations = z.object({
  title: z.string().exactOptional(),
  readOnlyHint: z.boolean().exactOptional(),
  destructiveHint: z.boolean().exactOptional(),
  idempotentHint: z.boolean().exactOptional(),
  openWorldHint: z.boolean().exactOptional(),
}) satisfies z.ZodType<ToolAnnotations>

export const manifestTool = z.object({
  name: z.string(),
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.exactOptional(),
  annotations: toolAnnotations.exactOptional(),
  extra: z.record(z.string(), z.unknown()).exactOptional(),
  writtenSchemas: z
    .object({ inputSchema: jsonSchema.exactOptional(), outputSchema: jsonSchema.exactOptional() })
    .exactOptional(),
  calledBy: z.string().exactOptional(),
}) satisfies z.ZodType<ManifestTool>

/** Digests begin with `sha256:`; sizes are bytes. `text` is hostile Markdown. */
export const skillContents = z.object({
  files: z.union([
    z.literal('dynamic'),
    z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })).readonly(),
  ]),
  text: z.string().exactOptional(),
}) satisfies z.ZodType<SkillContents>

export const manifestProblem = z.object({
  index: z.number().exactOptional(),
  name: z.string().exactOptional(),
  message: z.string(),
  hint: z.string().exactOptional(),
  unreadInput: z.string().exactOptional(),
}) satisfies z.ZodType<ManifestProblem>

export const icon = z.object({
  src: z.string(),
  mimeType: z.string().exactOptional(),
  sizes: z.array(z.string()).readonly().exactOptional(),
  theme: z.string().exactOptional(),
}) satisfies z.ZodType<Icon>

export const appError = z.object({
  // The codes are the keys of the table in core/errors.ts. Page and server have the same version, so the page knows
  // them all.
  code: z.custom<AppErrorCode>(code => typeof code === 'string'),
  title: z.string(),
  detail: z.string(),
  hint: z.string(),
  output: z.string().exactOptional(),
  outputOf: z.string().exactOptional(),
}) satisfies z.ZodType<AppErrorShape>
