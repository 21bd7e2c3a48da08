/** Every rule, in the order in which findings and the documentation name them. */
import type { LintRule } from '../rule.ts'
import { aichatDescription } from './aichat-description.ts'
import { aichatKeywords } from './aichat-keywords.ts'
import { aichatNameRepeated } from './aichat-name-repeated.ts'
import { aichatShape } from './aichat-shape.ts'
import { annotationsContradict } from './annotations-contradict.ts'
import { anthropicName } from './anthropic-name.ts'
import { anthropicNameLength } from './anthropic-name-length.ts'
import { anthropicPropertyName } from './anthropic-property-name.ts'
import { anthropicReference } from './anthropic-reference.ts'
import { anthropicRootKeywords } from './anthropic-root-keywords.ts'
import { arrayItems } from './array-items.ts'
import { danglingReference } from './dangling-reference.ts'
import { descriptionMissing } from './description-missing.ts'
import { geminiEnum } from './gemini-enum.ts'
import { geminiFormat } from './gemini-format.ts'
import { geminiKeywords } from './gemini-keywords.ts'
import { geminiName } from './gemini-name.ts'
import { geminiTypeList } from './gemini-type-list.ts'
import { inputRoot } from './input-root.ts'
import { mcpName } from './mcp-name.ts'
import { mcpNameRepeated } from './mcp-name-repeated.ts'
import { mcpOutputRoot } from './mcp-output-root.ts'
import { nameRepeated } from './name-repeated.ts'
import { openaiDescriptionLength } from './openai-description-length.ts'
import { openaiName } from './openai-name.ts'
import { openaiRootKeywords } from './openai-root-keywords.ts'
import { openaiToolCount } from './openai-tool-count.ts'
import { parameterDescription } from './parameter-description.ts'
import { recursiveReference } from './recursive-reference.ts'
import { remoteReference } from './remote-reference.ts'
import { schemaSize } from './schema-size.ts'
import { strictClosed } from './strict-closed.ts'
import { strictDepth } from './strict-depth.ts'
import { strictKeywords } from './strict-keywords.ts'
import { strictRequired } from './strict-required.ts'
import { strictSize } from './strict-size.ts'

export const lintRules: readonly LintRule[] = [
  openaiToolCount,
  openaiName,
  anthropicName,
  anthropicNameLength,
  geminiName,
  mcpName,
  nameRepeated,
  mcpNameRepeated,
  aichatNameRepeated,
  descriptionMissing,
  aichatDescription,
  openaiDescriptionLength,
  parameterDescription,
  annotationsContradict,
  inputRoot,
  mcpOutputRoot,
  openaiRootKeywords,
  anthropicRootKeywords,
  anthropicPropertyName,
  arrayItems,
  danglingReference,
  remoteReference,
  recursiveReference,
  anthropicReference,
  geminiKeywords,
  geminiTypeList,
  geminiEnum,
  geminiFormat,
  aichatShape,
  aichatKeywords,
  schemaSize,
  strictClosed,
  strictRequired,
  strictKeywords,
  strictDepth,
  strictSize,
]
