import type { ToolDetail } from '../../../core/api/catalog.ts'
import { toSkillPath } from '../../../core/tool/skill.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { TableHead } from '../../ui/table.tsx'
import styles from './reference-tab.module.css'

interface SkillTabProps {
  readonly uri: string
  readonly skill: NonNullable<ToolDetail['skill']>
}

/** The files of a skill, as the server lists them, and its Markdown. */
export function SkillTab({ uri, skill: { files, text } }: SkillTabProps) {
  return (
    <div className={styles.reference} data-testid="skill">
      <section className={styles.section} aria-label="Files">
        <h2 className={styles.heading}>Files</h2>
        {files === 'dynamic' ? (
          <p className="note">
            The server makes the files when they are read. They have no digests, so they cannot be verified.
          </p>
        ) : (
          <table className={styles.table}>
            <TableHead headings={['File', 'Size', 'SHA-256']} />
            <tbody>
              {files.map(({ uri: fileUri, digest, size }) => (
                <tr key={fileUri}>
                  <td>
                    <code>{toSkillPath(uri, fileUri) ?? fileUri}</code>
                  </td>
                  <td>{formatBytes(size)}</td>
                  <td>
                    <code title={digest}>{digest.replace('sha256:', '').slice(0, 12)}…</code>{' '}
                    <CopyButton label="Copy the digest" text={() => digest} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section className={styles.section} aria-label="SKILL.md">
        <h2 className={styles.heading}>SKILL.md</h2>
        {text === undefined ? (
          <p className="note">It was not read with the list. “Get skill” reads it.</p>
        ) : (
          <Markdown text={text} />
        )}
      </section>
    </div>
  )
}
