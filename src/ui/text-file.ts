import { AppError } from '../../core/errors.ts'

export interface TextFile {
  /** Empty for a pasted text. */
  readonly name: string
  readonly text: string
}

/** Reads a file that was dropped or picked. @throws AppError if it is a folder or no longer exists */
export async function readPickedFile(file: File): Promise<TextFile> {
  try {
    return { name: file.name, text: await file.text() }
  } catch {
    throw new AppError('source-unrecognised', `"${file.name}" is a folder, or a file that cannot be read.`, {
      hint: 'Drop a file, or enter the path of the folder.',
    })
  }
}

/** Saves a text or bytes as a file through the browser. Bytes have a neutral type, so that the browser runs nothing. */
export function saveFile(data: string | Uint8Array<ArrayBuffer>, fileName: string): void {
  const type = typeof data === 'string' ? 'text/plain' : 'application/octet-stream'
  const url = URL.createObjectURL(new Blob([data], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Revoking immediately would cancel a slow start. After a minute the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
