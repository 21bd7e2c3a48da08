import { fileURLToPath } from 'node:url'

/** The full path of something in the project; the project's own folder without an argument. */
export const project = (path = '') => fileURLToPath(new URL(`../${path}`, import.meta.url))
