/**
 * Stands in for `@rjsf/validator-ajv8`, which @rjsf/core's index names for a test helper; Ajv needs eval, the page
 * forbids it.
 */
// biome-ignore lint/style/noDefaultExport: the import that this stands in for asks for a default
export default undefined
