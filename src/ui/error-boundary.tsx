import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** Shown instead when a child throws while rendering. */
  readonly fallback: ReactNode | ((error: unknown, retry: () => void) => ReactNode)
  /** A change renders the children again. */
  readonly resetKey?: unknown
}

interface ErrorBoundaryState {
  readonly error: unknown
  readonly failed: boolean
  readonly resetKey: unknown
}

/** Prevents one broken part (hostile data, a viewer, a chunk that did not load) from breaking the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, failed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error, failed: true }
  }

  static getDerivedStateFromProps(
    props: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    if (props.resetKey === state.resetKey) return null
    return { error: undefined, failed: false, resetKey: props.resetKey }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const { fallback } = this.props
    if (typeof fallback !== 'function') return fallback
    return fallback(this.state.error, () => this.setState({ error: undefined, failed: false }))
  }
}
