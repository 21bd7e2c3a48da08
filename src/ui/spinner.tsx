import styles from './badge.module.css'

/** Turns while something is under way. Always beside words. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden />
}
