import type { monaco } from './monaco.ts'

/** Returns the options of all text editors. Tab moves to the next control, as everywhere on the page. */
export function textOptions(): monaco.editor.IStandaloneEditorConstructionOptions {
  return {
    tabFocusMode: true,
    automaticLayout: true,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono') || 'monospace',
    renderLineHighlight: 'none',
    overviewRulerLanes: 0,
    fixedOverflowWidgets: true,
    bracketPairColorization: { enabled: false },
    stickyScroll: { enabled: false },
    padding: { top: 8, bottom: 8 },
    // Text that is typed, pasted or inserted by a program stays exact.
    autoClosingBrackets: 'never',
    autoClosingQuotes: 'never',
    autoSurround: 'never',
    autoIndent: 'keep',
    acceptSuggestionOnCommitCharacter: false,
    formatOnPaste: false,
    formatOnType: false,
  }
}
