import styles from './kbd.module.css'

/** A key or chord, as printed on the keyboard: `⌘K`. */
export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd className={styles.kbd}>{keys}</kbd>
}
