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
} as const
