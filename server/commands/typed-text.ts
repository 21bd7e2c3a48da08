/** Text from the command line for a field of any type: its command reads it. */
export class TypedText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
