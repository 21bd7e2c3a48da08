/** `1 tool`, `2 tools`: plain digits, so that it can stand in messages that programs read too. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
