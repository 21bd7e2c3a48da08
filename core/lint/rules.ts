/** Every rule, in the order of findings and documentation. */

import { aichatRules } from './aichat-rules.ts'
import { chatgptRules } from './chatgpt-rules.ts'
import { claudeRules } from './claude-rules.ts'
import { descriptionRules } from './descriptions-rules.ts'
import { geminiRules } from './gemini-rules.ts'
import { nameRules, openaiToolCount, vscodeToolCount } from './names-rules.ts'
import { referenceRules } from './references-rules.ts'
import type { LintRule } from './rule.ts'
import { schemaShapeRules, schemaSize } from './schema-shape-rules.ts'
import { strictRules } from './strict-rules.ts'
import { vscodeRules } from './vscode-rules.ts'

export const lintRules: readonly LintRule[] = [
  openaiToolCount,
  ...nameRules,
  ...descriptionRules,
  ...schemaShapeRules,
  ...referenceRules,
  ...geminiRules,
  ...aichatRules,
  schemaSize,
  ...strictRules,
  vscodeToolCount,
  ...vscodeRules,
  ...claudeRules,
  ...chatgptRules,
]
