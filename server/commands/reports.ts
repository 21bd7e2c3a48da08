/** Reports of `diff`, `lint`, `check` and others: one format on stdout by --format, others in files by --write. */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { TextStyle } from '../../core/report/report-text.ts'
import type { OwnSigns } from '../../core/text/terminal-text.ts'
import { type CommandContext, hasColour, writeText } from './command.ts'

type Renderers<Format extends string, Report> = Readonly<
  Record<Format, (report: Report, style: TextStyle) => string>
>

/** Control signs that Toolscope writes in a format; all others are neutralised. */
const ownSigns: Readonly<Record<string, OwnSigns>> = { github: 'workflow commands', text: 'colours' }

/** @param renderers the function for each format; `text` is the default */
export function defineReports<Format extends string, Report>(renderers: Renderers<Format | 'text', Report>) {
  const formats = Object.keys(renderers) as readonly (Format | 'text')[]
  const parseFile = (part: string) => {
    const [name = '', ...path] = part.split('=')
    const format = formats.find(each => each === name)
    return format === undefined || path.join('') === '' ? undefined : { format, path: path.join('=') }
  }
  const example = formats.some(format => format === 'junit')
    ? 'junit=report.xml,sarif=report.sarif'
    : 'html=report.html'
  const parts = (text = '') => text.split(',').filter(part => part !== '')
  return {
    /** Fields of the command's input. */
    fields: {
      format: z
        .enum(formats)
        .default('text' as never)
        .describe(`Format of the report: ${formats.join(', ')}.`),
      write: z
        .string()
        .refine(text => parts(text).every(parseFile), {
          error: `expected format=file, such as ${example}; formats are ${formats.join(', ')}`,
        })
        .optional()
        .describe(`Write the report in other formats to files too: ${example}.`),
    },
    /** Writes the files, and returns the text for stdout. */
    render(
      report: Report,
      { format, write }: { readonly format: Format | 'text'; readonly write?: string | undefined },
      context: CommandContext,
    ): { readonly text: string; readonly own?: OwnSigns } {
      for (const file of parts(write).map(parseFile))
        if (file !== undefined)
          writeText(resolve(context.directory, file.path), renderers[file.format](report, { colour: false }))
      const own = ownSigns[format]
      const text = renderers[format](report, { colour: hasColour(context), columns: process.stdout.columns })
      return own === undefined ? { text } : { text, own }
    },
  }
}
