/** A line on the terminal that says how far a long command is; nothing where stderr is no terminal. */
export interface ProgressBar {
  /** @param label what was done last */
  step(label: string): void
  /** Takes the line away. */
  end(): void
}

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const barWidth = 20

export function progressBar(
  total: number,
  environment: NodeJS.ProcessEnv,
  terminal: Terminal = process.stderr,
): ProgressBar {
  if (terminal.isTTY !== true || total === 0) return { step() {}, end() {} }
  const colour = !environment.NO_COLOR
  let done = 0
  return {
    step(label) {
      done += 1
      const full = Math.round((done / total) * barWidth)
      const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
      const count = ` ${done}/${total} `
      const room = Math.max(0, (terminal.columns ?? 80) - barWidth - count.length - 1)
      const shown = label.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, room)
      terminal.write(`\r\u001b[2K${colour ? `\u001b[36m${bar}\u001b[0m` : bar}${count}${shown}`)
    },
    end: () => void terminal.write('\r\u001b[2K'),
  }
}
