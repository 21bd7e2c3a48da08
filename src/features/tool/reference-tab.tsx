import { Fragment, type ReactNode, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { toToolCommand } from '../../../core/prompt/tool-commands.ts'
import { usageFlags } from '../../../core/prompt/usage-line.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { FieldTable } from './field-table.tsx'
import styles from './reference-tab.module.css'
import { texts } from './texts.ts'

/** Everything a tool's manifest says of its input and output: usage line, fields, then the raw schemas. */
export function ReferenceTab({ tool }: { readonly tool: ToolDetail }) {
  const { inputSchema, outputSchema } = tool
  return (
    <div className={styles.reference} data-testid="reference">
      {/* Only tools are commands: prompts and resources are not. */}
      {tool.kind === undefined && (
        <Usage command={tool.command ?? toToolCommand(tool.name)} inputSchema={inputSchema} />
      )}
      <Section title={texts.input}>
        <FieldTable label={texts.fieldsOf(texts.input)} schema={callerSchema(inputSchema)} />
      </Section>
      <Section title={texts.output}>
        {outputSchema === undefined ? (
          <p className="note">No output schema: output is shown but cannot be validated.</p>
        ) : (
          <FieldTable label={texts.fieldsOf(texts.output)} schema={outputSchema} />
        )}
      </Section>
      <Section title="Raw schemas">
        <RawSchema label="Input schema as JSON" schema={inputSchema} />
        {outputSchema !== undefined && <RawSchema label="Output schema as JSON" schema={outputSchema} />}
      </Section>
    </div>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  )
}

/** Flags that are drawn: a schema may have thousands. The button copies all. */
const maxFlags = 100

interface UsageProps {
  readonly command: string
  readonly inputSchema: JsonSchema
}

function Usage({ command, inputSchema }: UsageProps) {
  const { flags, more } = usageFlags(inputSchema, maxFlags)
  return (
    <Section title="Usage">
      <div className={styles.usage}>
        <code>
          {command}
          {flags.map(flag => (
            <Fragment key={flag}>
              {' '}
              <span className={styles.flag}>{flag}</span>
            </Fragment>
          ))}
          {more > 0 && ` … and ${more.toLocaleString('en')} more`}
        </code>
        <CopyButton
          label="Copy the usage line"
          text={() => [command, ...usageFlags(inputSchema).flags].join(' ')}
        />
      </div>
      {flags.some(flag => flag.startsWith('[')) && <p className="note">[ ] = optional</p>}
    </Section>
  )
}

interface RawSchemaProps {
  readonly label: string
  readonly schema: JsonSchema
}

/** Written as JSON, and its editor loaded, when it is opened. */
function RawSchema({ label, schema }: RawSchemaProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        <div className={styles.raw}>
          <JsonEditor label={label} text={JSON.stringify(schema, null, 2)} readOnly />
        </div>
      )}
    </details>
  )
}
