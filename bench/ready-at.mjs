/** The address of a server that was started: from its ready line. Throws where it ends before. */
export async function readyAt(child) {
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    const url = /^toolscope ready: (\S+)$/m.exec(text)?.[1]
    if (url !== undefined) return new URL(url).origin
  }
  throw new Error('the server ended before it was ready')
}
