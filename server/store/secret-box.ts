/** Encrypts stored values that other users must not read or plant: AES-256-GCM, with its key in a file of the user. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { readOrCreateKey } from '../process/stored-key.ts'
import { dataDirectory } from './location.ts'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export interface SecretBox {
  /** Equal for equal keys; reveals nothing about the key. */
  readonly id: string
  /** @param purpose what the text is for: `open` fails for any other purpose */
  seal(text: string, purpose: string): string
  /** Returns null if the text was sealed with another key or for another purpose, or was changed. */
  open(sealed: string, purpose: string): string | null
}

/** Whether a value was ever sealed in this data directory. */
export const hasSecretBox = (environment: NodeJS.ProcessEnv) => existsSync(keyPath(environment))

/**
 * Opens the box with the key in the data directory (`secret.key`, created if missing, readable only by its owner).
 * Throws AppError `key-failed` if there is no key and it cannot be created.
 */
export function openSecretBox(environment: NodeJS.ProcessEnv): SecretBox {
  const key = readKey(keyPath(environment))
  return {
    id: createHash('sha256').update('toolscope key ').update(key).digest('hex').slice(0, 16),
    seal(text, purpose) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64')
      const body = bytes.subarray(ivBytes + tagBytes)
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/** Like `openSecretBox`, for values that were sealed before: throws AppError `key-failed` if the key is missing. */
export function openExistingBox(environment: NodeJS.ProcessEnv): SecretBox {
  if (hasSecretBox(environment)) return openSecretBox(environment)
  throw new AppError('key-failed', `the key ${keyPath(environment)} is missing`, {
    hint: 'Restore it from a backup of the data directory before Toolscope creates another key, then start Toolscope again. Encrypted data was not deleted.',
  })
}

const keyPath = (environment: NodeJS.ProcessEnv) => join(dataDirectory(environment), 'secret.key')

function readKey(path: string): Buffer {
  try {
    return readOrCreateKey(path)
  } catch (thrown) {
    throw new AppError('key-failed', `the key ${path} cannot be used: ${toErrorMessage(thrown)}`, {
      hint: 'It must be a file of yours with 32 bytes. Without it, what it has encrypted cannot be read.',
    })
  }
}
