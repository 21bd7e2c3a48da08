/** Writes to stdout and stderr for all commands: every text passes the filter of core/text/terminal-text.ts. */
import { type OwnSigns, terminalLine, terminalText } from '../../core/text/terminal-text.ts'

export interface Terminal {
  /** Prints text for people to stderr: progress and notes, never data. The text is printed as one line. */
  say(line: string): void
  /**
   * Writes data to stdout: a text of many lines that ends with a line break.
   *
   * @param own control signs that Toolscope wrote and that are kept; `result`: the text is a tool's result, which is
   * filtered only on a terminal and goes unchanged into a pipe or a file
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

/** Writes data as one line. */
export function writeLine({ write }: Pick<Terminal, 'write'>, text: string): void {
  write(`${terminalLine(text)}\n`)
}
