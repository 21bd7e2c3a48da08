/** `toolscope doctor`: checks what Toolscope needs on this machine and in this folder. It starts no source. */
import { homedir } from 'node:os'
import { z } from 'zod'
import { exitCodes } from '../../core/errors.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { usualPort } from '../http/listen.ts'
import { type CommandContext, defineCommand, fields } from './command.ts'
import { checkMachine } from './doctor-checks.ts'

const finding = z.object({
  check: z.string().describe('What was checked: node, store, key, …'),
  isFine: z.boolean(),
  detail: z.string().describe('What is there; if it is wrong, what is wrong.'),
  cure: z.string().optional().describe('What to do, if it is wrong.'),
})

export const doctorCommand = defineCommand({
  name: 'doctor',
  description: 'Check Node, the store, keys, configuration files, ports and the browser, and say what to do.',
  input: z.object({ config: fields.config, database: fields.database }),
  positionals: [],
  examples: [
    ['toolscope doctor', 'this machine and this folder'],
    ['toolscope doctor --json', 'for a script'],
  ],
  exitCodes: { 0: 'nothing is wrong', 2: 'something is wrong; its line says what to do' },
  output: z.object({ findings: z.array(finding) }),

  async run(input, context) {
    const findings = await checkMachine({ ...input, ...thisMachine(context) })
    const isFine = findings.every(each => each.isFine)
    return { output: { findings }, exitCode: isFine ? exitCodes.fine : exitCodes.usage }
  },

  print({ findings }, context) {
    for (const { check, isFine, detail, cure } of findings) {
      const line = `${isFine ? 'ok   ' : 'WRONG'}  ${check.padEnd(8)}  ${detail}${cure === undefined ? '' : `. ${cure}`}`
      context.write(`${plainLine(line)}\n`)
    }
  },
})

function thisMachine({ directory, environment }: CommandContext) {
  return {
    directory,
    environment,
    platform: process.platform,
    home: environment.HOME || homedir(),
    nodeVersion: process.versions.node,
    inotifyFolder: '/proc/sys/fs/inotify',
    port: usualPort,
  }
}
