/**
 * Returns the part of a failure's message that stderr does not already show: `exit code 3` for `exit code 3: no stove`
 * if stderr has the line `no stove`. Empty if stderr has all of it.
 */
export function omitRepeated(message: string, stderr: string): string {
  const lines = stderr.split('\n').map(line => line.trim())
  // A message may quote only the beginning of a long line.
  const isSaid = (text: string) => text !== '' && lines.some(line => line.startsWith(text))
  if (message.split('\n').every(line => isSaid(line.trim()))) return ''
  const quotedAt = message.indexOf(': ')
  return quotedAt > 0 && isSaid(message.slice(quotedAt + 2).trim()) ? message.slice(0, quotedAt) : message
}
