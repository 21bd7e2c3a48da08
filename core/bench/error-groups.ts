/** Errors of many calls, grouped by their kind and their message without its values. */

export interface ErrorGroup {
  /** Why the call failed: `timeout`, `exit` … */
  readonly reason: string
  /** Numbers, ids and quoted texts are `…`. */
  readonly message: string
  readonly count: number
}

/** Groups that are told apart; later ones are counted together. */
const maxGroups = 100
const maxMessageCharacters = 200

const values =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|"[^"]*"|“[^”]*”|(?<!\w)'[^']*'|\d(?:[\w.:-]*\w)?/gi

/** `Order 17 of "Ada"` is `Order … of …`. */
export const withoutValues = (message: string) =>
  message
    .slice(0, 2 * maxMessageCharacters)
    .replace(values, '…')
    .slice(0, maxMessageCharacters)

export class ErrorGroups {
  count = 0
  private readonly groups = new Map<string, ErrorGroup>()

  add(reason: string, text: string): void {
    this.count += 1
    const message = withoutValues(text)
    const key = JSON.stringify([reason, message])
    const group = this.groups.get(key) ?? { reason, message, count: 0 }
    if (group.count > 0 || this.groups.size < maxGroups)
      this.groups.set(key, { ...group, count: group.count + 1 })
  }

  /** The most frequent first. What is not in them is the difference to `count`. */
  top(max: number): readonly ErrorGroup[] {
    return [...this.groups.values()].sort((a, b) => b.count - a.count).slice(0, max)
  }
}
