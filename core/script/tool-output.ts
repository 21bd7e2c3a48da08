/** A call's ending as a command's stdout, stderr and exit code, for pipes. */
import type { CallEvent, ContentBlock } from '../call/invocation.ts'
import type { CommandAnswer } from './protocol.ts'

export type CallEnding = Extract<CallEvent, { type: 'result' | 'failure' }>

/** Characters of a tool's stderr that are passed on. */
const stderrShown = 4_000

/**
 * The structured result as JSON text, to the letter where it is known, else the text of its content. A failure goes to
 * stderr with exit code 1. An output that breaks its schema is delivered, with a warning. Longer output than `limit`
 * fails: half a document would be worse.
 */
export function toolOutput(command: string, ending: CallEnding, limit: number): CommandAnswer {
  const stdout = outputText(ending)
  if (ending.type === 'failure') return { stdout: '', stderr: failureText(command, ending), exitCode: 1 }
  if (stdout.length > limit)
    return {
      stdout: '',
      stderr: `${command}: the result has ${stdout.length} characters; a script takes ${limit}\n`,
      exitCode: 1,
    }
  return { stdout, stderr: warning(command, ending), exitCode: 0 }
}

function outputText({ structuredContent, raw, content }: CallEnding): string {
  if (structuredContent === undefined) return withNewline(content.map(blockText).join('\n'))
  return withNewline(raw !== undefined && isJson(raw) ? raw : JSON.stringify(structuredContent))
}

function blockText(block: ContentBlock): string {
  return block.type === 'text' ? block.text : JSON.stringify(block)
}

function failureText(command: string, ending: Extract<CallEnding, { type: 'failure' }>): string {
  const { message, hint, stderr, content, structuredContent } = ending
  const said = content.map(blockText).join('\n')
  const parts = [
    `${command}: ${message}`,
    said.startsWith(message) ? said.slice(message.length).trim() : said,
    structuredContent === undefined ? undefined : JSON.stringify(structuredContent),
    stderr?.slice(-stderrShown).trim(),
    hint,
  ]
  return withNewline(parts.filter(part => part !== undefined && part !== '').join('\n'))
}

function warning(command: string, { validation }: CallEnding): string {
  if (validation.verdict !== 'invalid') return ''
  const [first] = validation.issues
  const others = validation.issues.length + (validation.more ?? 0) - 1
  const where = first === undefined ? '' : `: ${first.path || '/'} ${first.message}`
  return `${command}: warning: the output breaks its schema${where}${others > 0 ? ` (and ${others} more)` : ''}\n`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const withNewline = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
