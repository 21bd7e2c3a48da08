/** An error for people, on stderr: what happened, what the other side said, what to do. */
import type { AppError } from '../../core/errors.ts'

export function printError(error: AppError, context: { say(line: string): void }): void {
  const { title, detail, hint, output } = error.toShape()
  context.say(`${title}: ${detail}`)
  if (output !== undefined && output.trim() !== '')
    for (const line of output.trimEnd().split('\n').slice(0, 20)) context.say(`  | ${plain(line)}`)
  context.say(`  ${hint}`)
}

/** Another program's text must not steer the user's terminal. */
const plain = (line: string) =>
  line.replace(/\p{Cc}/gu, sign => (sign === '\t' ? sign : '\uFFFD')).slice(0, 500)
