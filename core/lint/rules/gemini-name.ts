import { documents } from '../documents.ts'
import { quoted, type ToolRule } from '../rule.ts'

const legal = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

export const geminiName: ToolRule = {
  scope: 'tool',
  id: 'gemini-name',
  title: 'A name starts with a letter or underscore and has up to 64 letters, digits and _ . : -',
  severity: 'error',
  sources: { gemini: documents.geminiFunction },
  check: ({ tool }) =>
    legal.test(tool.name)
      ? []
      : [
          {
            path: '/name',
            message: `the name ${quoted(tool.name)} does not match ^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`,
            remedy: 'Rename it: a letter first, then letters, digits, underscores, dots, colons or dashes.',
          },
        ],
}
