import { formatTime } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // Changes of a resource
  unsubscribe: 'Unsubscribe',
  subscribe: 'Subscribe',
  changedAt: (changedAt: string, hasReread: boolean) =>
    `Changed at ${formatTime(changedAt, new Date())}${hasReread ? '; it was read again.' : '.'}`,
  serverReportsChanges: 'Its server reports every change.',

  // What a server offers beside tools
  resourceTemplate: 'resource template',
  promptsAndResources: 'Prompts & resources',
  capabilities: 'Capabilities',
  icons: 'Icons',
} as const
