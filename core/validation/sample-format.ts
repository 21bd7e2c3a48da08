/** A string for each format of JSON Schema, and for some custom formats. */
const samples: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'full-date': '2026-11-21',
  time: '18:30:00Z',
  'date-time': '2026-11-21T18:30:00Z',
  datetime: '2026-11-21T18:30:00Z',
  duration: 'PT1H',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/path',
  'iri-reference': '/path',
  'uri-template': '/items/{id}',
  uuid: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
  guid: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
  'json-pointer': '/a/0',
  'relative-json-pointer': '1/a',
  regex: '^a+$',
  color: '#3257d6',
  byte: 'aGVsbG8=',
  base64: 'aGVsbG8=',
  binary: 'aGVsbG8=',
}

/** One text for each format that people recognise. */
export const formatSamples: readonly string[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
  'color',
].map(format => samples[format] ?? '')

export function sampleFormat(format: string): string | undefined {
  return Object.hasOwn(samples, format) ? samples[format] : undefined
}
