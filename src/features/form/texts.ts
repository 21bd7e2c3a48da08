/** Every text of this feature, in reading order. */
export const texts = {
  // The input as form or JSON
  input: 'Input',
  inputAsJson: (name: string) => `Input of ${name} as JSON`,
  invalidJson: (message: string) => `Invalid JSON: ${message}`,
  jsonTabHoldsInvalidJson: (message: string) => `The JSON tab holds invalid JSON: ${message}`,
  inputTooLarge: (message: string) =>
    `This input is ${message}, too large for the form. Edit it in the JSON tab.`,
  restoreLastValidInput: 'Restore the last valid input',

  // The whole form
  theInput: 'the input',
  theWholeInput: 'The input',
  noParameters: 'No parameters',
  inputIsNotAnObject: 'The input is not an object.',
  startOver: 'Start over',

  // The frame of a field
  notInTheSchema: 'not in the schema',
  notSet: 'not set',
  collapse: 'Collapse',
  expand: 'Expand',
  deprecated: 'deprecated',
  details: 'Details',
  null: 'null',
  clear: 'Clear',

  // The menu of a field
  more: 'More',
  moreWithKey: 'More (Shift+F10)',

  // What it does
  setToEmptyText: 'Set to ""',
  setToEmptyList: 'Set to []',
  setToEmptyObject: 'Set to {}',
  addAnotherKey: 'Add another key',
  setNull: 'Set null',
  setNullNotAllowed: 'Set null (not allowed here)',
  takeDefault: (preview: string) => `Use default ${preview}`,
  fillWithExample: 'Fill with an example',
  editWithTheField: 'Edit with the field',
  editAsJson: 'Edit as JSON',

  // The type or state beside a field
  emptyText: 'empty text',
  emptyList: 'empty list',
  emptyObject: 'empty object',
  orNull: (label: string) => `${label} or null`,
  oneOfCount: (branchCount: number) => `one of ${branchCount}`,
  enumCount: (optionCount: number) => `enum · ${optionCount}`,
  tupleOf: (count: number) => `tuple of ${count}`,
  notAllowed: 'not allowed',

  // A single value
  secretLeftOut: 'secret left out: enter it again',
  notAWidget: (widget: string) => `“${widget}” is not a widget for this field.`,

  // Texts
  newUuidFor: (label: string) => `New UUID for ${label}`,
  new: 'New',
  pick: (label: string) => `Pick ${label}`,
  showNamed: (label: string) => `Show ${label}`,
  hide: 'Hide',
  show: 'Show',

  // Choices
  searchValues: (optionCount: number) => `search ${optionCount} values`,
  now: (value: string) => `now ${value}`,

  // Chooser
  notInList: (notListed: string) => `${notListed} (not in the list)`,
  matches: 'Matches',
  nothingMatches: 'Nothing matches',
  notTaken: (typed: string) => `“${typed}” is not in the list, and was not entered.`,
  typeToFilter: (more: number) => `${more} more: type to filter`,

  // Dates and times
  withoutAZone: 'no time zone',

  // Bytes
  fileAndSize: (name: string, size: number) => `${name}, ${size} bytes`,
  chooseFileFor: (label: string) => `Choose a file for ${label}`,
  file: 'File…',
  fileTooLarge: (name: string) => `${name} is larger than 32 MiB.`,
  fileNotRead: (name: string) => `${name} could not be read.`,

  // Objects
  add: (label: string) => `Add ${label}`,
  exactlyOneOf: 'Exactly one of: ',
  atLeastOneOf: 'At least one of: ',
  fields: 'fields',

  // Their optional fields
  moreOptionalField: 'more optional field',
  filterOptionalFields: (label: string) => `Filter the optional fields of ${label}`,
  optionalFieldsPlaceholder: 'filter · Enter adds · Shift+Enter adds and stays',
  optionalFieldsOf: (label: string) => `Optional fields of ${label}`,

  // Maps
  keyExists: (to: string) => `“${to}” already exists`,
  theNewProperty: 'the new property',
  properties: 'properties',
  addProperty: 'Add property',
  keyOfNewProperty: (holder: string) => `Key of the new property in ${holder}`,
  keyOf: (name: string, holder: string) => `Key ${name} in ${holder}`,
  key: 'key',

  // Lists
  items: 'items',
  addItem: 'Add item',
  showAs: (isShown: boolean) => `Show as ${isShown ? 'cards' : 'table'}`,
  duplicate: 'Duplicate',

  // The buttons of an item
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  removeNamed: (name: string) => `Remove ${name}`,

  // Lists as tables
  row: 'Row',
  removeColumn: (name: string) => `Remove column ${name}`,
  moveRowUp: 'Move up',
  moveRowDown: 'Move down',

  // Pasting into a list
  itemsToAddTo: (label: string) => `Items to add to ${label}`,
  addItems: 'Add items',
  pasteItems: 'Paste items',
  pasteItemsNote: 'one item per line, or a JSON array',
  pasteRows: 'Paste rows',
  pasteRowsNote: (columns: string) => `cells of a spreadsheet or CSV (${columns}), or a JSON array`,

  // One of several shapes
  shapeOf: (label: string) => `Shape of ${label}`,
  chooseOneOf: (branchCount: number) => `choose one of ${branchCount}`,
  searchShapes: (branchCount: number) => `search ${branchCount} shapes`,

  // Any value
  kindText: 'text',
  kindNumber: 'number',
  kindBoolean: 'true / false',
  kindObject: 'object',
  kindList: 'list',
  kindOf: (label: string) => `Kind of ${label}`,

  // A value as JSON
  notJsonYet: (message: string) => `Not valid JSON, the value is unchanged: ${message}`,
  asJson: (label: string) => `${label} as JSON`,
  schema: 'Schema',

  // Several kinds of field
  showMore: (count: number, total: number, what: string) => `Show ${count} more of ${total} ${what}`,
  nothingAllowed: 'The schema allows nothing here.',
  defaultIs: (value: string) => `default: ${value}`,
} as const
