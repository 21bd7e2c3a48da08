import { plural } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The timeline
  compareTheTwo: 'Compare the two',
  onlyOneVersion: 'There is only one version yet.',
  pickTwo: 'Pick two different versions.',
  version: 'Version',
  changes: 'Changes',
  showOlder: 'Show older ones',
  olderAreNotListed: (source: string) =>
    `Older ones are not listed. The Diff page takes each by its name: ${source}@1, git:REVISION:path.`,
  notSaved: 'History and versions are not saved: these are lost when the program ends.',
  versions: 'Versions',
  versionsOf: (name: string) => `Versions of ${name}`,
  lookingForVersions: 'Looking for versions…',
  noVersionOfTool: 'No version of this tool is known yet',
  versionIsSaved: 'A version is saved whenever the source’s list changes.',

  // A version
  compareSide: (isFirst: boolean, name: string) => `Compare ${isFirst ? 'from' : 'to'} ${name}`,
  commit: 'Commit',
  openNow: 'open now',
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  versionNumber: (version: string) => `version ${version}`,
  gitRevision: (commit: string, isChanged: boolean) => `git ${commit}${isChanged ? ', with changes' : ''}`,

  // Its labels
  removeLabel: (label: string) => `Remove the label ${label}`,
  addLabelTo: (source: string, number: number) => `Label ${source}@${number}`,
  addLabel: 'Label…',
  labelFor: (source: string, number: number) => `Label for ${source}@${number}`,
  labelPlaceholder: 'release-2.1',
  labelRule: 'Letters, digits, “.”, “_”, “+”, “-”; no number, no date.',

  // The changelog
  changelog: 'Changelog',
  changelogOf: (source: string) => `Changelog of ${source}`,
  changelogTitle: 'Changelog of',
  noChangelogHere: 'This page has no changelog',
  noChangelogHereNote: 'To put one into an export: toolscope export --changelog.',
  noSourceNamed: 'No source is named',
  noSourceNamedNote: 'Open a source in the catalog, and choose “Changelog” next to its versions.',
  whichVersions: 'Versions that are listed',
  kinds: { snapshot: 'Saved versions', git: 'Commits' },
  toTheSource: 'To the source',
  feed: 'JSON Feed',
  comparingVersions: 'Comparing versions…',
  noVersionOfSource: (source: string) => `No version of ${source} is known yet`,
  leftOut: (names: readonly string[]) => `Not readable as a manifest, so left out: ${names.join(', ')}`,
  bumps: { major: 'major', minor: 'minor', patch: 'patch' },
  bumpNotes: {
    major: 'Asks for a new major version: something can break callers',
    minor: 'Asks for a new minor version: something was added, or needs a look',
    patch: 'Asks for a new patch version: texts and hints changed',
  },
  fullComparison: 'Full comparison',
  fullComparisonOf: (before: string, after: string) => `Full comparison of ${before} and ${after}`,
  breakingChanges: 'Breaking changes',
  showMoreBreaks: (count: number) => `Show ${plural(count, 'more breaking change')}`,
  moreInComparison: (more: string) => `${more} in the full comparison`,
  lists: { Removed: 'Removed', Renamed: 'Renamed', Added: 'Added' },

  // What changed since the last look
  changedSince: 'Changed since you last looked',
  diffOf: (source: string) => `Diff of ${source}`,
  diff: 'Diff',
  markAsSeen: (to: string) => `Mark ${to} as seen`,
} as const
