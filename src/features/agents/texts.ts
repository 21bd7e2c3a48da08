/** Texts that several components of this feature use. */
export const texts = {
  noValueFor: (names: readonly string[]) =>
    `· no value for ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`,
  instructions: 'Instructions',
  variables: 'Variables',
} as const
