/**
 * Texts as bytes: the first byte names the format, followed by the text or, if that is smaller, its compressed form.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, deflateRawSync, inflateRawSync } from 'node:zlib'

/** The first byte. A new format gets a new number, because databases contain texts of every version of the program. */
const kinds = { plain: 0, deflate: 1, brotli: 2 } as const

const minCompressedBytes = 128
/** Larger texts are compressed on another thread. */
const maxDeflateBytes = 64 * 1024
/** Setting up a wider window costs more than compressing a text that fits into this one. */
const smallWindow = { maxBytes: 8 * 1024, windowBits: 13, memLevel: 6 }
/** The maximum size of a manifest; a larger size means damaged data. */
const maxTextBytes = 256 * 1024 * 1024

/**
 * The most frequent parts of schemas, the most frequent last, so that short texts shrink too. Never change it: stored
 * texts were compressed with it. Texts that were compressed without a dictionary can be read with it as well.
 */
const dictionary = Buffer.from(
  [
    '"callingConvention":"format":"instructions":"--llms manifest""MCP tools/list""functions.json"',
    '"https://json-schema.org/draft/2020-12/schema""http://json-schema.org/draft-07/schema#"',
    '"oneOf":[{"anyOf":[{"allOf":[{"const":"not":{"$defs":{"$ref":"#/$defs/"pattern":"^"format":"date-time"',
    '"email""uri""uuid""exclusiveMinimum":"exclusiveMaximum":"minLength":"maxLength":"minItems":"maxItems":',
    '"minimum":"maximum":"uniqueItems":true"propertyNames":{"patternProperties":{"prefixItems":[{"examples":[',
    '"destructiveHint":"idempotentHint":"openWorldHint":"readOnlyHint":true"annotations":{"title":"extra":{',
    '"additionalProperties":false,"default":null"enum":["type":["string","null"]"items":{"type":"string"}',
    '"type":"boolean"},"type":"integer"},"type":"number"},"type":"array","type":"object","properties":{',
    '"required":["$schema":"outputSchema":{"type":"object","properties":{"{"name":","description":"',
    '","inputSchema":{"type":"object","properties":{"description":"type":"string"},"',
  ].join(''),
)

const brotli = promisify(brotliCompress)
const unbrotli = promisify(brotliDecompress)

/** Lone surrogates become U+FFFD, because UTF-8 has none. */
export async function compress(text: string): Promise<Buffer> {
  const plain = Buffer.from(text, 'utf8')
  const [kind, smaller] = await compressBytes(plain)
  return smaller.length < plain.length
    ? Buffer.concat([Buffer.of(kind), smaller])
    : Buffer.concat([Buffer.of(kinds.plain), plain])
}

/** Rejects if the bytes were not written by `compress`. */
export async function decompress(bytes: Uint8Array): Promise<string> {
  const [kind] = bytes
  const rest = bytes.subarray(1)
  if (kind === kinds.plain) return Buffer.from(rest).toString('utf8')
  if (kind === kinds.deflate)
    return inflateRawSync(rest, { dictionary, maxOutputLength: maxTextBytes }).toString('utf8')
  if (kind === kinds.brotli) return (await unbrotli(rest, { maxOutputLength: maxTextBytes })).toString('utf8')
  throw new Error(`a stored text of kind ${kind}, which this version does not know`)
}

async function compressBytes(plain: Buffer): Promise<readonly [kind: number, bytes: Buffer]> {
  if (plain.length < minCompressedBytes) return [kinds.plain, plain]
  if (plain.length < maxDeflateBytes) {
    const { maxBytes, ...window } = smallWindow
    return [kinds.deflate, deflateRawSync(plain, { dictionary, ...(plain.length < maxBytes ? window : {}) })]
  }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  return [kinds.brotli, await brotli(plain, { params })]
}
