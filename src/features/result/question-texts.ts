/** Every text of this feature, in reading order. */
export const texts = {
  // The question
  asks: 'asks',
  secretWarningStart: 'It asks for a likely secret (',
  secretWarningEnd: '). What you enter goes to',
  answer: 'Answer',
  openAddressFirst: 'Open the address first',
  accept: 'Accept',
  declineNote: 'Answers no to the server',
  decline: 'Decline',
  cancelNote: 'Ends the question without an answer. The server decides how the call continues',
  cancelQuestion: 'Cancel question',
  timeLimitWaits: 'The call’s time limit is paused until you answer.',

  // An address to open
  openAddressStart: 'It asks you to open this address in a new tab, on',
  openAddressEnd: '. What happens there is between you and that host.',
  notEncrypted: 'It is not encrypted (http).',
  userInfoWarning: 'The text before the @ is not the host: the address leads to',
  otherScriptsWarning: 'The host has letters of several scripts, which may look alike.',
  openAgain: 'Open again',
  openHost: (host: string) => `Open ${host}`,
  afterOpening: 'Finish there, then accept. The server continues.',
} as const
