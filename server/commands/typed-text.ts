import { resolve } from 'node:path'
import { type CommandContext, readArgumentFile } from './command.ts'

/** Text from the command line for a field of any type; the command parses it. */
export class TypedText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Returns the text that a typed input names: that of `@file`, that of stdin for `-`, or itself. Throws AppError `usage`. */
export async function readInputText(typed: string, context: CommandContext): Promise<string> {
  if (typed === '-') return context.readStdin()
  if (!typed.startsWith('@')) return typed
  return readArgumentFile(resolve(context.directory, typed.slice(1)), {
    name: 'the input',
    hint: 'Give the path of a file: --input @file.json.',
  })
}
