import type { ComponentProps } from 'react'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'

/** A text button among the fields. */
export function QuietButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={join(styles.quiet, className)} {...rest} />
}

/** A button with an icon or one short word in a field's row. */
export function MiniButton(props: ComponentProps<'button'>) {
  return <button type="button" className={join('mini', styles.mini)} {...props} />
}

interface ShowMoreProps {
  readonly limit: number
  readonly length: number
  readonly pageSize: number
  /** The plural noun for the entries: `items`. */
  readonly what: string
  readonly onLimit: (limit: number) => void
}

/** Raises the limit of a long list by a page; renders nothing if the whole list is shown. */
export function ShowMore({ limit, length, pageSize, what, onLimit }: ShowMoreProps) {
  if (length <= limit) return null
  return (
    <QuietButton data-more onClick={() => onLimit(limit + pageSize)}>
      Show {Math.min(pageSize, length - limit)} more of {length} {what}
    </QuietButton>
  )
}
