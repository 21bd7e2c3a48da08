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

/** Reads `FILE` or `FILE#SOURCE`. */
export function readRecordingPath(path: string): RecordingConfig {
  const mark = path.indexOf('#')
  return mark > 0 ? { recording: path.slice(0, mark), source: path.slice(mark + 1) } : { recording: path }
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
    const named = readRecordingPath(word)
    return named.source !== undefined && isRecording(named.recording) ? named : null
  },

  async open(config, settings, context) {
    const { openRecording } = await import('./open-recording.ts')
    return openRecording(config, settings, context)
  },
}
