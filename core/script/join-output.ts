/** The engine's message for an unknown command. It has no line break, so the next message would be on the same line. */
const unknownCommand =
  'bash: [^\\n]*?: command not found(?:\\. Did you mean: [^?\\n]*\\?)?(?!\\. Did you mean: )'
const openLine = new RegExp(`^${unknownCommand}$`)
const gluedLine = new RegExp(`(?<=^|command not found|\\?)${unknownCommand}(?=[^\\n])`, 'gm')

/** Joins new output to a stream's output: text after an unknown command's message begins a new line. */
export function joinOutput(before: string, text: string): string {
  // Output is long, so only these ends are matched.
  const mayBeOpen = text !== '' && (before.endsWith('?') || before.endsWith('command not found'))
  const isOpen = mayBeOpen && openLine.test(before.slice(before.lastIndexOf('\n') + 1))
  return isOpen ? `${before}\n${text}` : before + text
}

/** Does the same for text that is already joined. */
export const splitGluedLines = (stderr: string) => stderr.replace(gluedLine, '$&\n')
