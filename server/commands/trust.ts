/** `toolscope trust`: trusts what the configuration of this folder starts, lists trusted folders, or removes one. */

import { resolve } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { loadConfig } from '../config/config.ts'
import { listRecords, removeRecord } from '../config/trust.ts'
import { type CommandContext, defineCommand } from './command.ts'
import { openConfig } from './open-config.ts'

const record = z.object({
  file: z.string(),
  since: z.string().describe('When you agreed.'),
  starts: z.array(z.string()).describe('What you agreed to.'),
})

export const trustCommand = defineCommand({
  name: 'trust',
  description: 'Trust the programs that this folder’s toolscope.json starts; list or remove trusted folders.',
  input: z.object({
    list: z.boolean().default(false).describe('List the trusted folders.'),
    remove: z
      .string()
      .optional()
      .describe('Stop trusting this toolscope.json; default the one of this folder.'),
  }),
  positionals: [],
  bareFlags: { remove: '.' },
  examples: [
    ['toolscope trust', 'the toolscope.json of this folder or of one above'],
    ['toolscope trust --list', 'what you trust'],
  ],
  exitCodes: { 0: 'done', 2: 'the command line or toolscope.json is invalid' },
  output: z.object({ trusted: z.array(record), removed: z.string().optional() }),

  async run(input, context) {
    if (input.remove !== undefined) return { output: { trusted: [], removed: remove(input.remove, context) } }
    if (!input.list) agreeHere(context)
    const here = input.list ? undefined : openConfig({}, context).trust.file
    const records = listRecords(context.environment).filter(({ file }) => here === undefined || file === here)
    return {
      output: { trusted: records.map(({ agreed, ...rest }) => ({ ...rest, starts: Object.values(agreed) })) },
    }
  },

  print({ trusted, removed }, context) {
    if (removed !== undefined) return context.write(`No longer trusted: ${plainLine(removed)}\n`)
    if (trusted.length === 0) return context.say('No folder is trusted.')
    for (const { file, since, starts } of trusted) {
      context.write(`${plainLine(file)}  (trusted since ${plainLine(since)})\n`)
      for (const each of starts) context.write(`  ${plainLine(each)}\n`)
    }
  },
})

function agreeHere(context: CommandContext): void {
  const { trust: here, path } = openConfig({}, context)
  if (path === null)
    throw new AppError('usage', 'there is no toolscope.json of yours here or above', {
      hint: 'Go to the folder that you want to trust.',
    })
  if (here.list().length === 0)
    throw new AppError('usage', `${path} starts nothing: there is nothing to agree to`)
  here.agree()
}

/** Removes a record and returns its file. Throws AppError `usage` if there is no record. */
function remove(named: string, { directory, environment }: CommandContext): string {
  const path = resolve(directory, named)
  const files = new Set([path, resolve(path, 'toolscope.json')])
  const above = named === '.' ? findAbove(directory) : null
  if (above !== null) files.add(above)
  const found = listRecords(environment).find(({ file }) => files.has(file))
  if (found === undefined)
    throw new AppError('usage', `${path} is not trusted`, {
      hint: '`toolscope trust --list` shows what is.',
    })
  removeRecord(environment, found.file)
  return found.file
}

/** Does not fail for an invalid file, so that trust in it can still be removed. */
function findAbove(directory: string): string | null {
  try {
    return loadConfig(directory).path
  } catch {
    return null
  }
}
