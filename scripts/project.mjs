import { fileURLToPath } from 'node:url'

/** Returns the absolute path of a project file; the project's folder without an argument. */
export const project = (path = '') => fileURLToPath(new URL(`../${path}`, import.meta.url))
