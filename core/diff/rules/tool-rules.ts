/** The rules about tools that are in both manifests. */
import { annotations } from './annotations.ts'
import { outputSchema } from './output-schema.ts'
import type { ToolRule } from './tool-rule.ts'
import { toolText } from './tool-text.ts'

export const toolRules: readonly ToolRule[] = [toolText, annotations, outputSchema]
