/** Every text of this feature, in reading order. */
export const texts = {
  // The tab
  manPage: 'Man page',
  helpView: 'Help view',
  copyTheJson: 'Copy the JSON',
  copyTheManPage: 'Copy the man page',
  jsonSourceStart: 'What',
  jsonSourceEnd: 'prints.',
  helpAsJson: 'Help as JSON',
  manPageTooSlow: 'Making the man page takes too long',
  schemaShowsAll: 'The Schema tab shows all of it.',
  makingTheManPage: 'Making the man page…',

  // The man page
  name: 'Name',
  usage: 'Usage',
  moreFlags: (more: number) => ` … and ${more} more`,
  optionalFlags: '[ ] = optional',
  description: 'Description',
  parameters: 'Parameters',
  noParameters: 'The input schema has no parameters.',
  output: 'Output',
  noOutputSchema: 'No output schema: any output is possible.',
  exitCodes: 'Exit codes of toolscope call',
  source: 'Source',
  viewOnly: (name: string) => `${name} · view only`,
  nameAtSource: 'its name at the source',
  hints: 'Hints',
  hintsNote: 'Declared by the source (unverified):',
  tags: 'Tags',
  copyLine: (line: string) => `Copy ${line}`,
  notAllShown: 'Not everything is shown here. The Schema tab shows all.',

  // Its tables
  type: 'Type',
  showAllRows: (rows: string) => `Show all ${rows}`,
  either: 'either:',
  required: 'required',
  default: 'default',
  example: 'example',

  // The values of a parameter
  valueCount: (count: number) => `${count} values`,
  valuesFound: (found: number, all: number) => `${found} of ${all} values`,
  filterValues: (of: string) => `Filter the values of ${of}`,
  filter: 'Filter',
  copyValues: (of: string) => `Copy the values of ${of}`,
  noValueContains: (query: string) => `No value contains “${query}”.`,
  showFewer: 'Show fewer',
  showAllValues: (count: number) => `Show all ${count}`,
  typeToFilter: (more: number) => `${more} more: type to filter`,
  fillInForm: (text: string, of: string) => `Use ${text} for ${of} in the form`,
  useInTheForm: 'Use in the form',
  aboutAndUse: (about: string) => `${about} · Use in the form`,

  // Values that go into the form
  notFilled: (path: string) =>
    `${path} could not be filled: the input has another value there. See the JSON tab.`,
  filledInForm: (path: string) => `${path} is filled in the form.`,
} as const
