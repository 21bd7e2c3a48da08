/** An object of `count` text fields, all of them required: the widest form there is to type in. */
export function wideSchema(count) {
  const names = Array.from({ length: count }, (_, index) => `field_${index}`)
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map(name => [name, { type: 'string', description: `About ${name}.` }]),
    ),
    required: names,
  }
}
