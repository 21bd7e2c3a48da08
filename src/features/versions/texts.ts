/** Texts that several components of this feature use. */
export const texts = {
  showOlder: 'Show older ones',
  versions: 'Versions',
  versionsOf: (name: string) => `Versions of ${name}`,
  versionIsSaved: 'A version is saved whenever the source’s list changes.',
  changelog: 'Changelog',
  comparingVersions: 'Comparing versions…',
} as const
