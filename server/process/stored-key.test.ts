import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { readOrCreateKey } from './stored-key.ts'

test('keptKey: refuses a named pipe and a folder, and does not wait for a writer', ({ folder }) => {
  const pipe = join(folder, 'secret.key')
  execFileSync('mkfifo', ['-m', '600', pipe])
  expect(() => readOrCreateKey(pipe)).toThrow('it is not a regular file')
  mkdirSync(join(folder, 'folder.key'), { mode: 0o700 })
  expect(() => readOrCreateKey(join(folder, 'folder.key'))).toThrow('it is not a regular file')
})
