/**
 * What the message of a failure adds to the stderr that is shown with it: of `exit code 3: no stove` only `exit code 3`
 * where stderr has the line `no stove`. Empty where stderr says it all.
 */
export function messageBeside(message: string, stderr: string): string {
  const lines = stderr.split('\n').map(line => line.trim())
  // A message may quote only the beginning of a long line.
  const isSaid = (text: string) => text !== '' && lines.some(line => line.startsWith(text))
  if (message.split('\n').every(line => isSaid(line.trim()))) return ''
  const quotedAt = message.indexOf(': ')
  return quotedAt > 0 && isSaid(message.slice(quotedAt + 2).trim()) ? message.slice(0, quotedAt) : message
}
