/** Answers to a server's questions during `toolscope call`: prepared ones, or a person's on the terminal. */
import { resolve } from 'node:path'
import type { PreparedAnswers } from '../../core/checks/prepared-answers.ts'
import { AppError } from '../../core/errors.ts'
import { isObject, type Json, own } from '../../core/json/json.ts'
import type { GivenAnswer, Question } from '../../core/tool/question.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { issueSentence } from '../../core/validation/read-issues.ts'
import type { AskPerson } from '../calls/answer-question.ts'
import { parseInput } from '../calls/parse-input.ts'
import type { Validator } from '../workers/validator.ts'
import { type CommandContext, readArgumentFile } from './command.ts'
import { TypedText } from './typed-text.ts'

/** Imported late, because it loads the form code and most calls have no questions. */
const loadForms = () => import('../../core/checks/prepared-answers.ts')

/** @param value of `--answers`: JSON, a file or `-`; from `--json` the value itself. Throws AppError `usage`. */
export async function readAnswers(
  value: unknown,
  context: CommandContext,
): Promise<PreparedAnswers | undefined> {
  if (value === undefined) return undefined
  const given = value instanceof TypedText ? parseInput(await answersText(value.text, context)).value : value
  const { parseAnswers } = await loadForms()
  const parsed = parseAnswers(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where =
    issue === undefined || issue.path.length === 0 ? '--answers' : `--answers ${issue.path.join('/')}`
  throw new AppError('usage', `${where} ${issue?.message}`, {
    hint: 'In the order of the questions: --answers \'[{"action":"accept","content":{"name":"Ada"}},"decline"]\'',
  })
}

async function answersText(text: string, context: CommandContext): Promise<string> {
  if (text === '-') return context.readStdin()
  if (/^\s*[[{]/.test(text)) return text
  return readArgumentFile(resolve(context.directory, text.replace(/^@/, '')), { name: `--answers ${text}` })
}

/** Returns a hint on how to answer a question with `--answers`. */
export async function answerHint(question: Question): Promise<string> {
  const { defaultContent } = await loadForms()
  const content =
    question.mode === 'form'
      ? { content: { ...defaultContent(question.schema), ...(await required(question.schema)) } }
      : {}
  return `To answer it: --answers '${JSON.stringify([{ action: 'accept', ...content }]).replaceAll("'", "'\\''")}'`
}

async function required(schema: JsonSchema): Promise<{ readonly [field: string]: Json }> {
  // Imported late, because it loads a validator.
  const { sampleValue } = await import('../../core/form/sample.ts')
  const sample = sampleValue(schema, { optional: 'none' })
  return isObject(sample) ? (sample as { readonly [field: string]: Json }) : {}
}

export const asksLine = ({ server = 'the server', message, purpose }: Question) =>
  `? ${server} asks${purpose === 'sampling' ? ' for an answer of a language model' : ''}: ${message}`

/** The number of tries for an answer that does not match the schema. */
const maxTries = 5

/** Asks on the terminal, field by field. Undefined if there is no terminal. */
export function terminalAsk({ ask, say }: CommandContext, validator: () => Validator): AskPerson | undefined {
  if (ask === undefined) return undefined
  return async (question, { signal }) => {
    const { note } = question
    const intro = `${asksLine(question)}\n${note === undefined ? '' : `  ${note}\n`}`
    const wanted =
      question.mode === 'url'
        ? `${intro}  It wants this address opened: ${question.url}\n  Open it yourself, then accept. [a]ccept, [d]ecline, [C]ancel? `
        : `${intro}  [a]ccept and fill in, [d]ecline, [C]ancel? `
    const action = parseAction(await ask(wanted))
    if (action !== 'accept' || question.mode === 'url') return { action, by: 'person' }
    const { validateAnswer } = await import('../calls/answer-question.ts')
    for (let tries = 1; tries <= maxTries && !signal.aborted; tries++) {
      const content = await askFields(question.schema, ask)
      const { verdict, issues } = await validateAnswer(question, { action, content }, validator())
      if (verdict !== 'invalid') return { action, content, by: 'person' }
      for (const issue of issues) say(`  ${issueSentence(issue)}`)
    }
    return { action: 'cancel', by: 'person' } satisfies GivenAnswer
  }
}

function parseAction(text: string): GivenAnswer['action'] {
  if (/^\s*a/i.test(text)) return 'accept'
  return /^\s*d/i.test(text) ? 'decline' : 'cancel'
}

/** Empty text means the default, or leaves the field out. */
async function askFields(
  schema: JsonSchema,
  ask: (question: string) => Promise<string>,
): Promise<{ readonly [field: string]: Json }> {
  const { defaultContent } = await loadForms()
  const defaults = defaultContent(schema)
  const properties = isObject(schema) ? own(schema, 'properties') : undefined
  const content = new Map<string, Json>()
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    const preset = Object.hasOwn(defaults, name) ? defaults[name] : undefined
    const text = await ask(`  ${name}${describe(property, preset)}: `)
    const value = text.trim() === '' ? preset : readField(text.trim(), property)
    if (value !== undefined) content.set(name, value)
  }
  return Object.fromEntries(content)
}

function describe(property: unknown, preset: Json | undefined): string {
  if (!isObject(property)) return ''
  const choices = listChoices(property)
  const facts = [
    property.description ?? property.title,
    choices.length > 0 ? `one of ${choices.join(', ')}` : property.type,
  ].filter(fact => typeof fact === 'string')
  return ` (${facts.join('; ')})${preset === undefined ? '' : ` [${JSON.stringify(preset)}]`}`
}

function listChoices(property: { readonly [keyword: string]: unknown }): readonly string[] {
  const { enum: values, oneOf, items } = property
  if (Array.isArray(values)) return values.map(String)
  if (isObject(items)) return listChoices({ ...items, oneOf: items.anyOf })
  return Array.isArray(oneOf) ? oneOf.map(each => String(isObject(each) ? each.const : each)) : []
}

/** Converts the text to the field's type; text that does not fit stays, and the schema then reports it. */
function readField(text: string, property: unknown): Json {
  const type = isObject(property) ? property.type : undefined
  if (type === 'boolean')
    return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : text
  if (type === 'array') return text.split(',').map(item => item.trim())
  const number = Number(text)
  return (type === 'number' || type === 'integer') && Number.isFinite(number) ? number : text
}
