/** Every text of this feature, in reading order. */
export const texts = {
  // The menu
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  settings: 'Settings',
  theme: 'Theme',
  singleLetterKeys: 'Single-letter keys',
  keyboardShortcuts: 'Keyboard shortcuts',
  lightTheme: 'Light theme',
  darkTheme: 'Dark theme',

  // The list of keys
  catalog: 'Catalog',
  moveInTheList: 'Move in the list',
  collapseAndExpand: 'Collapse and expand',
  open: 'Open',
  keysAreOff: 'Single-letter keys are switched off in the settings.',
} as const
