import styles from './spinner.module.css'

/** Turns while something is under way. Always beside words. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden />
}
