/** A manifest that came as text (dropped on the page) rather than from a file of this machine. */
import { parseManifestText } from '../../core/manifest/parse-manifest-text.ts'
import { baseName } from '../process/command-line.ts'
import type { SourceSpec } from './index.ts'

export function manifestText(fileName: string, text: string): SourceSpec {
  return {
    settings: { name: baseName(fileName) },
    kind: 'manifest-file',
    label: `${fileName} (dropped)`,
    definition: text,
    open: async () => ({
      label: `${fileName} (dropped)`,
      manifest: async () => parseManifestText(text),
      close: async () => {},
    }),
  }
}
