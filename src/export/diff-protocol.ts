import type { DiffReport, DiffSide } from '../../core/diff/change.ts'

export interface DiffRequest {
  readonly id: number
  readonly a: DiffSide
  readonly b: DiffSide
}

export type DiffReply =
  | { readonly id: number; readonly report: DiffReport }
  | { readonly id: number; readonly failed: string }
