/** Source kind: the file of a recording. Its calls answer as recorded; it starts nothing and reaches nothing. */
import { resolve } from 'node:path'
import { readHead } from '../llm-functions/tree-files.ts'
import { fileStatus } from '../process/command-line.ts'
import { loneWord, type SourceKind } from '../sources/source.ts'

export interface RecordingConfig {
  /** The path of the file, relative to the configuration's directory. */
  readonly recording: string
  /** A source of the recording; may be left out if it has only one. */
  readonly source?: string
}

export const recording: SourceKind<RecordingConfig> = {
  kind: 'recording',

  /** `FILE`, or `FILE#SOURCE` for a file with several sources. */
  async detect(words, context) {
    const word = loneWord(words) ?? ''
    const isRecording = (path: string) => {
      const full = resolve(context.directory, path)
      return fileStatus(full)?.isFile() === true && /^\{"type":"header","toolrec":/.test(readHead(full, 256))
    }
    if (isRecording(word)) return { recording: word }
    const mark = word.indexOf('#')
    const file = word.slice(0, mark)
    return mark > 0 && isRecording(file) ? { recording: file, source: word.slice(mark + 1) } : null
  },

  async open(config, settings, context) {
    const { openRecording } = await import('./open-recording.ts')
    return openRecording(config, settings, context)
  },
}
