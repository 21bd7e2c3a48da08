/**
 * How the tools behind a server's own tools are listed, described and called. toolscope.json describes a pattern;
 * server/hidden-catalog/known-patterns.ts holds the ones that are recognised.
 */
import { z } from 'zod'

const toolName = z.string().min(1).max(1_000).describe('The name of one of the server’s own tools.')
const pointer = z
  .string()
  .max(1_000)
  .regex(/^(?:\/|$)/, 'must be a JSON Pointer: "" or "/tools"')
const input = z.record(z.string(), z.unknown())

export const hiddenCatalogPattern = z.strictObject({
  list: z.strictObject({
    tool: toolName,
    arguments: input
      .exactOptional()
      .describe(
        'Its input; {} unless set. "{next}" is the value that "next" found in the page before, and is left out of the first call.',
      ),
    entries: pointer
      .exactOptional()
      .describe('Where the list of tools is in its answer; the answer itself unless set.'),
    lines: z
      .boolean()
      .exactOptional()
      .describe('The answer is text, and each line begins with a name, as in `help --list`.'),
    next: pointer
      .exactOptional()
      .describe('Where the answer says how the next page begins. Without it there is one page.'),
  }),
  describe: z
    .strictObject({
      tool: toolName,
      arguments: input.exactOptional().describe('Its input; {"name": "{name}"} unless set.'),
      entry: pointer
        .exactOptional()
        .describe('Where the tool is in its answer; the answer itself unless set.'),
    })
    .exactOptional()
    .describe('Which tool describes another one. Without it, the list holds the schemas.'),
  call: z.strictObject({
    tool: toolName,
    readOnlyTool: toolName
      .exactOptional()
      .describe('The tool that calls those marked read-only; "tool" unless set.'),
    arguments: input
      .exactOptional()
      .describe(
        'Its input; {"name": "{name}", "arguments": "{input}"} unless set. "{name:shell}" and "{input:flags}" are words of a shell: --key=value.',
      ),
  }),
  output: z
    .strictObject({ stdout: pointer, exitCode: pointer, stderr: pointer.exactOptional() })
    .exactOptional()
    .describe('Where its answers hold the output of a program, if they do.'),
  fields: z
    .strictObject({
      name: pointer.exactOptional(),
      title: pointer.exactOptional(),
      description: pointer.exactOptional(),
      inputSchema: pointer.exactOptional(),
      outputSchema: pointer.exactOptional(),
      annotations: pointer.exactOptional(),
    })
    .exactOptional()
    .describe('Where a tool has its fields; /name, /description, /inputSchema and so on unless set.'),
})

/** Which of a server's tools list, describe and call the tools behind it. */
export type HiddenCatalogPattern = z.infer<typeof hiddenCatalogPattern>
