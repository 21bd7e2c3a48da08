/** `toolscope skill`: prints the skill that teaches an agent this command line, or installs it into a folder of skills. */
import { lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { defineCommand, writeText } from './command.ts'
import { writeLine } from './terminal.ts'

/** SKILL.md of the package lies two folders above this file and above its bundle (dist/server). */
const skillFile = fileURLToPath(new URL('../../SKILL.md', import.meta.url))

export const skillCommand = defineCommand({
  name: 'skill',
  description: 'Print a skill that teaches an agent to use Toolscope, or install it into a folder.',
  input: z.object({
    install: z
      .string()
      .min(1)
      .optional()
      .describe('A folder of skills, such as .claude/skills: writes toolscope/SKILL.md in it.'),
    force: z.boolean().default(false).describe('With --install: also replace a file that differs.'),
  }),
  positionals: [],
  output: z.object({
    skill: z.string().describe('The text of SKILL.md.'),
    file: z.string().optional().describe('The file of --install.'),
    written: z.boolean().optional().describe('False if this file had the same text already.'),
  }),
  examples: [
    ['toolscope skill', 'the text, to read or to pipe'],
    ['toolscope skill --install .claude/skills', 'writes .claude/skills/toolscope/SKILL.md'],
  ],
  exitCodes: {
    0: 'the skill was printed, or is installed',
    2: 'the file exists with another text, or cannot be written',
  },

  async run(input, context) {
    const skill = readFileSync(skillFile, 'utf8')
    if (input.install === undefined) return { output: { skill } }
    // Agents require that the folder has the name of the skill.
    const file = join(resolve(context.directory, input.install), 'toolscope', 'SKILL.md')
    return { output: { skill, file, written: installFile(file, skill, input.force) } }
  },

  print({ skill, file, written }, context) {
    if (file === undefined) context.write(skill)
    else writeLine(context, written ? file : `${file} is installed already.`)
  },
})

/**
 * Writes the text, and returns false if the file has it already.
 *
 * @param isForced also replace a file with another text
 * @throws AppError `usage` if a file with another text, a link or a folder has this path, or if it cannot be written
 */
function installFile(file: string, text: string, isForced: boolean): boolean {
  const folder = dirname(file)
  // A link would put the text into another folder or file, wherever that is.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new AppError('usage', `${folder} is not a folder`, { hint: 'Remove it, or name another folder.' })
  const status = lstatSync(file, { throwIfNoEntry: false })
  if (status !== undefined && !status.isFile())
    throw new AppError('usage', `${file} is not a file`, { hint: 'Remove it, or name another folder.' })
  if (status !== undefined && readFileSync(file, 'utf8') === text) return false
  if (status !== undefined && !isForced)
    throw new AppError('usage', `${file} exists with another text`, {
      hint: 'Keep what you changed in it, then add --force to replace it.',
    })
  try {
    mkdirSync(folder, { recursive: true })
  } catch (thrown) {
    throw new AppError('usage', `${folder} could not be made: ${toErrorMessage(thrown)}`, {
      hint: 'Name a folder that you may write to.',
    })
  }
  writeText(file, text)
  return true
}
