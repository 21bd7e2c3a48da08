/** Texts that several components of this feature use. */
export const texts = {
  result: 'Result',
  envelope: 'Envelope',
  logs: 'Logs',
} as const
