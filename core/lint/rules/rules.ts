/** Every rule, in the order in which findings and the documentation name them. */
import type { LintRule } from '../rule.ts'
import { aichatRules } from './aichat.ts'
import { chatgptRules } from './chatgpt.ts'
import { claudeRules } from './claude.ts'
import { descriptionRules } from './descriptions.ts'
import { geminiRules } from './gemini.ts'
import { nameRules, openaiToolCount, vscodeToolCount } from './names.ts'
import { referenceRules } from './references.ts'
import { schemaShapeRules, schemaSize } from './schema-shape.ts'
import { strictRules } from './strict.ts'
import { vscodeRules } from './vscode.ts'

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
