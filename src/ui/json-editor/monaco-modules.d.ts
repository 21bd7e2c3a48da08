/** Modules of Monaco without types. */
declare module 'monaco-editor/language/json/monaco.contribution.js' {
  export { jsonDefaults } from 'monaco-editor/languages/features/json/register.js'
}
declare module 'monaco-editor/editor/contrib/*'
