/**
 * The one place that writes to stdout and stderr for a command: everything passes the gate of core/text/terminal-text.ts.
 */
import { type OwnSigns, terminalLine, terminalText } from '../../core/text/terminal-text.ts'

export interface Terminal {
  /** Talk for people on stderr: progress, notes; one line, whatever the text holds. Never data. */
  say(line: string): void
  /**
   * Data on stdout: a text of many lines, with its own line break at the end.
   *
   * @param own signs that are ours and stay; `result`: the text is what a tool answered, which goes into a pipe or a file as
   *   it is and passes the gate only on a terminal
   */
  write(text: string, own?: OwnSigns | 'result'): void
}

/** Both streams of the process. */
export const processTerminal: Terminal = {
  say: line => void process.stderr.write(`${terminalLine(line)}\n`),
  write(text, own) {
    if (own !== 'result') process.stdout.write(terminalText(text, own))
    else process.stdout.write(process.stdout.isTTY ? terminalText(text) : text)
  },
}

/** One line of data, whatever the text holds. */
export function writeLine({ write }: Pick<Terminal, 'write'>, text: string): void {
  write(`${terminalLine(text)}\n`)
}
