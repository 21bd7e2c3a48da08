import { memo, useMemo } from 'react'
import styles from './editor.module.css'
import { shellTokens } from './shell-tokens.ts'

/** Longer scripts are drawn plain: colouring every keystroke would hold it up. */
const coloured = 50_000

/** The script in colours, exactly under the text that is typed. */
export const Highlighted = memo(function Highlighted({
  text,
  commands,
}: {
  readonly text: string
  /** Names of the tools: they are told from other commands. */
  readonly commands: ReadonlySet<string>
}) {
  const tokens = useMemo(() => (text.length > coloured ? [] : shellTokens(text)), [text])
  if (text.length > coloured) return <>{`${text}\n`}</>
  return (
    <>
      {tokens.map(({ kind, text: part, at }) => {
        const look = kind === 'command' && commands.has(part) ? styles.tool : styles[kind]
        return look === undefined ? (
          part
        ) : (
          <span key={at} className={look}>
            {part}
          </span>
        )
      })}
      {'\n'}
    </>
  )
})
