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
