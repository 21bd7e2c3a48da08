import { documents } from '../documents.ts'
import { quoted, type ToolRule } from '../rule.ts'

const advised = /^[A-Za-z0-9_.-]{1,128}$/

/** A SHOULD of revision 2025-11-25. SEP-986 allowed a slash too; the revision itself does not. */
export const mcpName: ToolRule = {
  scope: 'tool',
  id: 'mcp-name',
  title: 'A name should have 1 to 128 letters, digits and _ - .',
  severity: 'warning',
  sources: { mcp: documents.mcpToolNames },
  check: ({ tool }) =>
    advised.test(tool.name)
      ? []
      : [
          {
            path: '/name',
            message: `the name ${quoted(tool.name)} is outside of the advised A-Z a-z 0-9 _ - . (1 to 128)`,
            remedy: 'Rename it; clients that hand names on to a model rewrite or drop the tool otherwise.',
          },
        ],
}
