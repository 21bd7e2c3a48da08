/**
 * Manifests that the user dropped or picked on the diff page, by their reference in the URL: `dropped:tools.json`. They
 * exist only in this page, until it is closed.
 */
import type { GivenSide } from '../../core/api/versions.ts'
import { AppError } from '../../core/errors.ts'
import { freeName } from '../../core/text/free-name.ts'
import type { TextFile } from '../ui/text-file.ts'

const prefix = 'dropped:'
const texts = new Map<string, string>()

/** @returns the reference; a second file with the same name gets a number */
export function keepDropped({ name, text }: TextFile): string {
  const has = (reference: string) => texts.has(reference) && texts.get(reference) !== text
  const reference = freeName(`${prefix}${name}`, { has }, number => `${prefix}${number}:${name}`)
  texts.set(reference, text)
  return reference
}

export const isDropped = (reference: string) => reference.startsWith(prefix)

/** @throws AppError `source-not-found` if the page was reloaded since the file was dropped */
export function givenSide(reference: string): GivenSide {
  if (!isDropped(reference)) return { reference }
  const name = reference.slice(prefix.length)
  const text = texts.get(reference)
  if (text !== undefined) return { name: name.slice(-200), text }
  throw new AppError('source-not-found', `"${name}" was dropped on a page that was closed or reloaded`, {
    hint: 'Drop the file again, or choose it with the button next to the field.',
  })
}
