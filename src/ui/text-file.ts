import { AppError } from '../../core/errors.ts'

export interface TextFile {
  /** Empty where the text was pasted. */
  readonly name: string
  readonly text: string
}

/** A file that was dropped or picked. @throws AppError where it cannot be read: it is a folder, or it has gone */
export async function readTextFile(file: File): Promise<TextFile> {
  try {
    return { name: file.name, text: await file.text() }
  } catch {
    throw new AppError('source-unrecognised', `"${file.name}" is a folder, or a file that cannot be read.`, {
      hint: 'Drop a file, or enter the path of the folder.',
    })
  }
}
