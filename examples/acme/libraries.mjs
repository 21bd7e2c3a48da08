/**
 * zod and commander. A program of your own imports them by name. The installed package has no such dependencies: they are
 * six megabytes, for these examples only. It has a copy of example-libraries.mjs with both in it.
 */
import { existsSync } from 'node:fs'

const copy = '../../dist/libraries/example-libraries.js'
const exists = path => existsSync(new URL(path, import.meta.url))
const isClone = exists('../../server/main.ts')

const { libraries } = await import(exists(copy) && !isClone ? copy : './example-libraries.mjs')

export const { Command, Option, z } = libraries
