/** Texts that several components of this feature use. */
export const texts = {
  showOlder: 'Show older ones',
  versionIsSaved: 'A version is saved whenever the source’s list changes.',
  changelog: 'Changelog',
} as const
