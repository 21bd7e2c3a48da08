/** Texts as bytes: one byte says how, then the text itself or, where that is smaller, the text compressed. */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

const PLAIN = 0
const BROTLI = 1
/** Below this, compression costs more than it saves. */
const WORTH_IT = 1024
/** More than any text that we keep: what claims to be larger is damaged. */
const LARGEST = 64 * 1024 * 1024

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

export async function pack(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length < WORTH_IT) return Buffer.concat([Buffer.of(PLAIN), bytes])
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const smaller = await compress(bytes, { params })
  return smaller.length < bytes.length
    ? Buffer.concat([Buffer.of(BROTLI), smaller])
    : Buffer.concat([Buffer.of(PLAIN), bytes])
}

/** Rejects when the bytes were not written by `pack`. */
export async function unpack(packed: Uint8Array): Promise<string> {
  const [kind] = packed
  const rest = packed.subarray(1)
  if (kind === PLAIN) return Buffer.from(rest).toString('utf8')
  if (kind === BROTLI) return (await decompress(rest, { maxOutputLength: LARGEST })).toString('utf8')
  throw new Error(`packed bytes of an unknown kind: ${kind}`)
}
