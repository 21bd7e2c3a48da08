import { memo } from 'react'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { ChangeItem } from './change-item.tsx'
import { FoldRow, ToolRow } from './fold-rows.tsx'
import type { DiffRow, OpenTool, Section } from './sections.ts'
import { sideNames } from './side-names.ts'
import { SchemasRow, ToolHeading } from './tool-heading.tsx'
import type { SideNames } from './witness-box.tsx'

/** What the rows do. The functions stay the same from one draw to the next, so that no row is drawn again for them. */
export interface RowActions {
  readonly onOpen: OpenTool
  /** A section was unfolded or folded. */
  readonly onFold: (section: Section) => void
  /** The tool whose schemas are shown side by side; undefined: none any more. */
  readonly onSchemas: (tool: string | undefined) => void
}

/** What the rows of one comparison share. */
interface ComparedTools {
  readonly before: ReadonlyMap<string, ManifestTool>
  readonly after: ReadonlyMap<string, ManifestTool>
  /** By name, the refs of the tools that can be opened. */
  readonly refs: ReadonlyMap<string, string>
  readonly names: SideNames
}

export function comparedTools({ a, b }: DiffAnswer): ComparedTools {
  return {
    before: toolsByName(a.side.tools),
    after: toolsByName(b.side.tools),
    refs: new Map(Object.entries(b.refs ?? {})),
    names: sideNames(a.label, b.label),
  }
}

/** Of two tools with one name the first counts, as in the comparison. */
function toolsByName(tools: readonly ManifestTool[]): ReadonlyMap<string, ManifestTool> {
  return new Map(tools.toReversed().map(tool => [tool.name, tool]))
}

/** The id of a row that the keys go to. */
export function stopId(stop: number): string {
  return `diff-change-${stop}`
}

interface ReportRowProps extends RowActions {
  readonly row: DiffRow
  readonly compared: ComparedTools
}

/** One row of the report. Scrolling moves rows: only a row that is new or changed is drawn. */
export const ReportRow = memo(function ReportRow({ row, compared, ...actions }: ReportRowProps) {
  const { section } = row
  const { onOpen, onFold, onSchemas } = actions
  const { tool, renamedFrom } = section
  const before = tool === undefined ? undefined : compared.before.get(renamedFrom ?? tool)
  const after = tool === undefined ? undefined : compared.after.get(tool)
  const toolRef = tool === undefined ? undefined : compared.refs.get(tool)
  const open = toolRef === undefined ? undefined : () => void onOpen(toolRef)
  switch (row.kind) {
    case 'heading':
      return (
        <ToolHeading
          section={section}
          isOpen={row.isOpen}
          onSchemas={after && (() => onSchemas(row.isOpen ? undefined : tool))}
          onOpen={open}
        />
      )
    case 'schemas':
      return <SchemasRow name={section.title} before={before} after={after} />
    case 'fold':
      return <FoldRow id={stopId(row.stop)} row={row} onToggle={() => onFold(section)} />
    case 'tool':
      return (
        <ToolRow
          id={stopId(row.stop)}
          section={section}
          isOpen={row.isOpen}
          onToggle={() => onFold(section)}
          onOpen={open}
        />
      )
    case 'change':
      return (
        <ChangeItem
          id={stopId(row.stop)}
          change={row.change}
          before={before}
          after={after}
          names={compared.names}
          toolRef={toolRef}
          onOpen={onOpen}
        />
      )
  }
})
