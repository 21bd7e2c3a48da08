/** Texts that several components of this feature use. */
export const texts = {
  promptsAndResources: 'Prompts & resources',
} as const
