/** Which control a string gets, by what its schema says of it. */

import type { SchemaObject } from '../schema/schema.ts'
import type { StringControl } from './form-node.ts'

const byFormat: Readonly<Record<string, StringControl>> = {
  password: 'secret',
  date: 'date',
  'full-date': 'date',
  time: 'time',
  'date-time': 'date-time',
  datetime: 'date-time',
  email: 'email',
  'idn-email': 'email',
  uri: 'uri',
  url: 'uri',
  iri: 'uri',
  'uri-reference': 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  color: 'color',
  binary: 'binary',
  byte: 'binary',
  base64: 'binary',
  'data-url': 'binary',
  textarea: 'long',
  markdown: 'long',
  html: 'long',
}

/** Text longer than this rarely fits one line. */
const longLimit = 240

export function stringControl(schema: SchemaObject): StringControl {
  const { format } = schema
  if (typeof format === 'string' && Object.hasOwn(byFormat, format)) return byFormat[format] ?? 'text'
  if (schema.contentEncoding === 'base64') return 'binary'
  if (typeof schema.contentMediaType === 'string') return 'long'
  const { maxLength, minLength } = schema
  if (typeof minLength === 'number' && minLength > longLimit) return 'long'
  return typeof maxLength === 'number' && maxLength > longLimit && schema.pattern === undefined
    ? 'long'
    : 'text'
}
