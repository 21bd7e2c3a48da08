/** Asks the user at the terminal, whatever stdin and stdout are connected to. */
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { ReadStream } from 'node:tty'
import { terminalText } from '../../core/text/terminal-text.ts'

const terminalPath = process.platform === 'win32' ? '\\\\.\\CONIN$' : '/dev/tty'

/**
 * Returns a function that asks on stderr and reads the line that is typed at the terminal; undefined if the user could
 * not see or answer the question. The function rejects when the signal is aborted.
 */
export function terminalQuestion(signal: AbortSignal): ((question: string) => Promise<string>) | undefined {
  if (!process.stderr.isTTY) return undefined
  try {
    closeSync(openSync(terminalPath, 'r'))
  } catch {
    return undefined
  }
  return async question => {
    dropTyped()
    const input = new ReadStream(openSync(terminalPath, 'r'))
    const lines = createInterface({ input, output: process.stderr, terminal: false })
    try {
      // A terminal that is gone gives no answer, and the question would wait for ever.
      const ended = new Promise<string>(resolve => lines.once('close', () => resolve('')))
      return await Promise.race([lines.question(terminalText(question), { signal }), ended])
    } finally {
      lines.close()
      input.destroy()
    }
  }
}

/** Drops what was typed before the question: it cannot be an answer. */
function dropTyped(): void {
  // Windows has no reading without waiting.
  if (process.platform === 'win32') return
  const terminal = openSync(terminalPath, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const typed = Buffer.alloc(4096)
    while (readSync(terminal, typed) > 0);
  } catch {
    // Nothing is left.
  } finally {
    closeSync(terminal)
  }
}
