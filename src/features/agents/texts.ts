/** Texts that several components of this feature use. */
export const texts = {
  instructions: 'Instructions',
  variables: 'Variables',
} as const
