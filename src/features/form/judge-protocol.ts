import type { ValidationIssue } from '../../../core/call/invocation.ts'

/** Texts, not values: they cross to the worker as they are, big numbers included. */
export interface JudgeRequest {
  readonly id: number
  readonly schemaText: string
  readonly text: string
}

export interface JudgeAnswer {
  readonly id: number
  readonly issues: readonly ValidationIssue[]
}
