/**
 * Texts of the common formats. `format` is an annotation here, but servers may insist on it: a witness that keeps to
 * the formats can be tried anywhere.
 */
const samples: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'ada@example.com'],
  ['hostname', 'example.com'],
  ['idn-email', 'ada@example.com'],
  ['idn-hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['iri', 'https://example.com/'],
  ['iri-reference', '/a'],
  ['json-pointer', '/a'],
  ['regex', 'a'],
  ['relative-json-pointer', '0'],
  ['time', '12:00:00Z'],
  ['uri', 'https://example.com/'],
  ['uri-reference', '/a'],
  ['uri-template', 'https://example.com/{a}'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
])

export function sampleOf(format: string): string | undefined {
  return samples.get(format)
}
