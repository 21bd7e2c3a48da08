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

  // What changed since the last look
  changedSince: 'Changed since you last looked',
  diffOf: (source: string) => `Diff of ${source}`,
  diff: 'Diff',
  markAsSeen: (to: string) => `Mark ${to} as seen`,
} as const
