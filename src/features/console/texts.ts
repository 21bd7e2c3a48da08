/** Texts that several components of this feature use. */
export const texts = {
  script: 'Script',
  runTheScript: 'Run the script',
  cancelled: 'cancelled',
  running: 'running',
} as const
