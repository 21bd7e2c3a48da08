/**
 * Parses a stream of text into the JSON values of its lines, as they arrive (NDJSON: one value per line). The last line
 * may lack a newline. Throws SyntaxError on a line that is not valid JSON.
 */
export async function* parseLines(chunks: AsyncIterable<string>): AsyncGenerator<unknown> {
  // Pieces are joined only at a newline: adding each chunk to one growing string is quadratic on a 16 MB line.
  let pieces: string[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf('\n', start)
      if (end < 0) break
      pieces.push(chunk.slice(start, end))
      const line = pieces.join('')
      pieces = []
      if (line.trim() !== '') yield JSON.parse(line)
      start = end + 1
    }
    if (start < chunk.length) pieces.push(chunk.slice(start))
  }
  const rest = pieces.join('')
  if (rest.trim() !== '') yield JSON.parse(rest)
}

/** Decodes a response body as UTF-8 while it arrives. Stopping the iteration cancels the transfer. */
export async function* decodeText(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
