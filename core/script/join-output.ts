/** What the engine says of a command that it does not know. It ends no line, so the next message would stand behind it. */
const unknownCommand =
  'bash: [^\\n]*?: command not found(?:\\. Did you mean: [^?\\n]*\\?)?(?!\\. Did you mean: )'
const openLine = new RegExp(`^${unknownCommand}$`)
const gluedLine = new RegExp(`(?<=^|command not found|\\?)${unknownCommand}(?=[^\\n])`, 'gm')

/** The output of a stream, and what comes next of it: what follows an unknown command begins a line. */
export function joinOutput(before: string, text: string): string {
  // Output is long; only these ends can be such a line.
  const mayBeOpen = text !== '' && (before.endsWith('?') || before.endsWith('command not found'))
  const isOpen = mayBeOpen && openLine.test(before.slice(before.lastIndexOf('\n') + 1))
  return isOpen ? `${before}\n${text}` : before + text
}

/** The same for a text that was joined already. */
export const splitGluedLines = (stderr: string) => stderr.replace(gluedLine, '$&\n')
