/** Stands in for `@rjsf/validator-ajv8`, which @rjsf/core's index names for a test helper; Ajv needs eval, the page forbids it. */
export {}
