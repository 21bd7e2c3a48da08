import { Fragment, type ReactNode } from 'react'
import type { ManPage } from '../../../core/help/man-page.ts'
import { flagsText } from '../../../core/help/usage-line.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { join } from '../../ui/join.ts'
import type { DraftFiller } from './fill-draft.ts'
import { ManRows } from './man-rows.tsx'
import styles from './man-view.module.css'
import { texts } from './texts.ts'

interface ManViewProps {
  readonly page: ManPage
  /** Absent where there is no form to fill. */
  readonly filler: DraftFiller | undefined
}

/** Flags drawn of a usage line: a hostile schema has thousands. The button copies all. */
const maxFlags = 300

/** A man page set in type. */
export function ManView({ page, filler }: ManViewProps) {
  const { command, name, title, summary, description, input, output, source, hints, tags } = page
  const [inScript = command, ...onCommandLine] = page.usage
  return (
    <>
      <Section title={texts.name}>
        <p className={styles.name}>
          <code>{command}</code> {summary !== '' && <span>{summary}</span>}
        </p>
        {title !== undefined && title !== summary && <p className="note">{title}</p>}
      </Section>
      <Section title={texts.usage}>
        <UsageLine line={inScript}>
          {command}
          {page.flags.slice(0, maxFlags).map(flag => (
            <Fragment key={flag.name}>
              {' '}
              <span className={styles.flag}>{flagsText([flag], { bracketed: true })}</span>
            </Fragment>
          ))}
          {page.flags.length > maxFlags && texts.moreFlags(page.flags.length - maxFlags)}
        </UsageLine>
        {onCommandLine.map(line => (
          <UsageLine key={line} line={line}>
            {line}
          </UsageLine>
        ))}
        {page.flags.some(flag => !flag.required) && <p className="note">{texts.optionalFlags}</p>}
      </Section>
      {description !== '' && (
        <Section title={texts.description}>
          <p className={styles.text}>{description}</p>
        </Section>
      )}
      <Section title={texts.parameters}>
        {input.rows.length === 0 ? (
          <p className="note">{texts.noParameters}</p>
        ) : (
          <ManRows label={texts.parameters} rows={input.rows} flags={page.flags} filler={filler} />
        )}
        {input.more && <More />}
      </Section>
      <Section title={texts.output}>
        {output === undefined ? (
          <p className="note">{texts.noOutputSchema}</p>
        ) : (
          <>
            <p className={styles.text}>{[output.type, output.description].filter(Boolean).join(': ')}</p>
            {output.rows.length > 0 && <ManRows label={texts.output} rows={output.rows} />}
            {output.more && <More />}
          </>
        )}
      </Section>
      <Section title={texts.exitCodes}>
        <Pairs pairs={page.exitCodes.map(([code, meaning]) => [String(code), meaning])} />
      </Section>
      <Section title={texts.source}>
        <Pairs
          pairs={[
            ['source', source.callable ? source.name : texts.viewOnly(source.name)],
            ...(name === command ? [] : [[texts.nameAtSource, name] as const]),
            ['reference', source.ref],
          ]}
        />
      </Section>
      {hints.length > 0 && (
        <Section title={texts.hints}>
          <p className="note">{texts.hintsNote}</p>
          <ul className={styles.hints}>
            {hints.map(hint => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </Section>
      )}
      {tags.length > 0 && (
        <Section title={texts.tags}>
          <p className={join('row wrap', styles.tags)}>
            {tags.map(tag => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </p>
        </Section>
      )}
    </>
  )
}

function UsageLine({ line, children }: { readonly line: string; readonly children: ReactNode }) {
  return (
    <div className={styles.usage}>
      <code>{children}</code>
      <CopyButton label={texts.copyLine(line.slice(0, 40))} text={() => line} />
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

function Pairs({ pairs }: { readonly pairs: readonly (readonly [name: string, text: string])[] }) {
  return (
    <dl className={styles.pairs}>
      {pairs.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function More() {
  return <p className="note">{texts.notAllShown}</p>
}
