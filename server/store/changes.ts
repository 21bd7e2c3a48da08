/** The listeners for changes of the store, and its state. */

import type { AppError } from '../../core/errors.ts'
import { Emitter } from '../process/emitter.ts'
import type { StoreChange, StoreStatus } from './store.ts'

export class StoreChanges extends Emitter<StoreChange> {
  private readonly where: string
  private error: AppError | undefined
  private readonly say: (line: string) => void

  /** @param say called once each time the store fails or works again */
  constructor(where: string, say: (line: string) => void) {
    super()
    this.where = where
    this.say = say
  }

  status(): StoreStatus {
    return this.error === undefined
      ? { state: 'ready', where: this.where }
      : { state: 'off', where: this.where, error: this.error.toShape() }
  }

  get failure(): AppError | undefined {
    return this.error
  }

  failed(error: AppError): void {
    const isFirst = this.error === undefined
    this.error = error
    if (!isFirst) return
    this.say(error.message)
    this.say(`  ${error.toShape().hint}`)
    this.say('  The program goes on without a store.')
    this.emit({ kind: 'status', id: 'off' })
  }

  recovered(): void {
    if (this.error === undefined) return
    this.error = undefined
    this.say(`The store works again: ${this.where}`)
    this.emit({ kind: 'status', id: 'ready' })
  }
}
