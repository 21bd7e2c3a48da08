/** Texts as bytes: one byte says how, then the text itself or, where that is smaller, the text compressed. */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, deflateRawSync, inflateRawSync } from 'node:zlib'

const PLAIN = 0
const DEFLATE = 1
const BROTLI = 2
/** Below this, compression costs more than it saves. */
const WORTH_IT = 400
/** Above this, it takes long enough to be done beside the program, and pays to be done better. */
const LARGE = 64 * 1024
/** More than any text that we keep: what claims to be larger is damaged. */
const LARGEST = 64 * 1024 * 1024

/** A window no wider than most texts are long: setting up a wide one costs more than compressing. */
const SMALL = { level: 5, windowBits: 13, memLevel: 6 }

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

export async function pack(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text, 'utf8')
  const { kind, smaller } = await squeeze(bytes)
  return smaller.length < bytes.length ? withKind(kind, smaller) : withKind(PLAIN, bytes)
}

/** Rejects when the bytes were not written by `pack`. */
export async function unpack(packed: Uint8Array): Promise<string> {
  const [kind] = packed
  const rest = packed.subarray(1)
  if (kind === PLAIN) return Buffer.from(rest).toString('utf8')
  if (kind === DEFLATE) return inflateRawSync(rest, { maxOutputLength: LARGEST }).toString('utf8')
  if (kind === BROTLI) return (await decompress(rest, { maxOutputLength: LARGEST })).toString('utf8')
  throw new Error(`packed bytes of an unknown kind: ${kind}`)
}

async function squeeze(bytes: Buffer): Promise<{ kind: number; smaller: Buffer }> {
  if (bytes.length < WORTH_IT) return { kind: PLAIN, smaller: bytes }
  if (bytes.length < LARGE) return { kind: DEFLATE, smaller: deflateRawSync(bytes, SMALL) }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return { kind: BROTLI, smaller: await compress(bytes, { params }) }
}

const withKind = (kind: number, bytes: Buffer) => Buffer.concat([Buffer.of(kind), bytes])
