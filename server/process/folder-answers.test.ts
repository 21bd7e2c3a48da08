import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { isFolderResponsive } from './folder-answers.ts'

test('isFolderResponsive: does not take a busy thread for a folder that hangs', async ({ folder }) => {
  const answer = isFolderResponsive(folder)
  for (const end = performance.now() + 2_000; performance.now() < end; );
  expect(await answer).toBe(true)
})

test('isFolderResponsive: gives false for a pipe in place of the database file', async ({ folder }) => {
  execFileSync('mkfifo', [join(folder, 'toolscope.db')])
  expect(await isFolderResponsive(folder)).toBe(false)
})

test('isFolderResponsive: gives true for a folder that does not exist', async ({ folder }) => {
  expect(await isFolderResponsive(join(folder, 'missing'))).toBe(true)
})
