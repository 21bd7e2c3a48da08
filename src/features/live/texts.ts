/** Every text of this feature, in reading order. */
export const texts = {
  // Messages
  notifications: 'Notifications',
  notificationsWithKey: 'Notifications ({hotkey})',
  openDiffPage: 'Open the diff page',
  showWhatChanged: 'Show what changed',
  dismiss: 'Dismiss',

  // What they say
  sourceChanged: (source: string, text: string) => `${source} changed: ${text}`,
  breaking: (breaking: number) => `${breaking} breaking`,
  dangerous: (dangerous: number) => `${dangerous} dangerous`,
  info: (info: number) => `${info} info`,

  // The note over a tool
  toolIsGone: 'This tool is no longer in the catalog. What you entered is kept.',
  sourceIsClosed: (state: string) => `${state}. What you entered is kept.`,
  aboutSource: 'About the source',
  notRefreshed: (source: string, readAt: string | undefined) =>
    `${source} could not be refreshed. This is its last list${readAt ? `, read at ${readAt}` : ''}.`,
  why: 'Why',
} as const
