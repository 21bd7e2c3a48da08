/**
 * Replaces `@rjsf/validator-ajv8`, which @rjsf/core's index imports for a test helper. Ajv needs eval, which the page
 * forbids.
 */
// biome-ignore lint/style/noDefaultExport: the import that this replaces needs a default export
export default undefined
