/** Text from the command line for a field of any type; the command parses it. */
export class TypedText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
