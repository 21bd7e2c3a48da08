/** Texts that several components of this feature use. */
export const texts = {
  console: 'Console',
  script: 'Script',
  runTheScript: 'Run the script',
  cancelled: 'cancelled',
  running: 'running',
  input: 'Input',
} as const
