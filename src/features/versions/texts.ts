/** Texts that several components of this feature use. */
export const texts = {
  showOlder: 'Show older ones',
  versions: 'Versions',
  versionsOf: (name: string) => `Versions of ${name}`,
  versionIsSaved: 'A version is saved whenever the source’s list changes.',
  changelog: 'Changelog',
  kinds: { snapshot: 'Saved versions', git: 'Commits' },
  comparingVersions: 'Comparing versions…',
  bumps: { major: 'major', minor: 'minor', patch: 'patch' },
  bumpNotes: {
    major: 'Asks for a new major version: something can break callers',
    minor: 'Asks for a new minor version: something was added, or needs a look',
    patch: 'Asks for a new patch version: texts and hints changed',
  },
  lists: { Removed: 'Removed', Renamed: 'Renamed', Added: 'Added' },
} as const
