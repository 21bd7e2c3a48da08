/** Small JSON texts as bytes: compressed against words that schemas are made of, so that even short ones shrink. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Written before each body; another dictionary is another number. */
const FORMAT = 1

/** Never changed: what was compressed with it is read with it. The commonest stand last. */
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

export function packText(text: string): Buffer {
  return Buffer.concat([Buffer.of(FORMAT), deflateRawSync(text, { dictionary })])
}

/** Throws where the bytes were not written by `packText`. */
export function unpackText(bytes: Uint8Array): string {
  if (bytes[0] !== FORMAT) throw new Error('a stored text is in a form that this version does not know')
  return inflateRawSync(bytes.subarray(1), { dictionary }).toString('utf8')
}
