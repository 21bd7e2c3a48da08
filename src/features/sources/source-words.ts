/** What starting and stopping is called: a program or a server is stopped, a file, a folder or an address is closed. */
export interface SourceWords {
  readonly stop: string
  readonly start: string
  readonly restart: string
  readonly stopped: string
  readonly stoppedText: string
}

const running: SourceWords = {
  stop: 'Stop',
  start: 'Start',
  restart: 'Restart',
  stopped: 'stopped',
  stoppedText: 'Nothing of it runs until you start it.',
}

const lying: SourceWords = {
  stop: 'Close',
  start: 'Open',
  restart: 'Open anew',
  stopped: 'closed',
  stoppedText: 'Its tools are not in the catalog until you open it.',
}

const closable: ReadonlySet<string> = new Set(['manifest-file', 'functions-directory', 'bridge-url'])

/** @param kind of SourceState; an address of which it is not known yet what answers there counts as running */
export function sourceWords(kind: string): SourceWords {
  return closable.has(kind) ? lying : running
}
