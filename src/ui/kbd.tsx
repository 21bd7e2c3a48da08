import styles from './kbd.module.css'
import { formatKeys, isMac, type ShortcutId, shortcuts } from './shortcuts.ts'

/** A key or chord, as printed on the keyboard: `⌘K`. */
export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd className={styles.kbd}>{keys}</kbd>
}

/** The first chord of a shortcut, for its button; renders nothing without one. */
export function ShortcutKeys({ id }: { readonly id: ShortcutId }) {
  const chord = shortcuts.find(shortcut => shortcut.id === id)?.keys[0]
  return chord === undefined ? null : <Kbd keys={formatKeys(chord, isMac)} />
}
