import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  /** Shown instead when a child throws while rendering. */
  readonly fallback: ReactNode | ((error: unknown, retry: () => void) => ReactNode)
  /** A change renders the children again. */
  readonly resetKey?: unknown
}

interface State {
  readonly error: unknown
  readonly failed: boolean
  readonly resetKey: unknown
}

/** Prevents one broken part (hostile data, a viewer, a chunk that did not load) from breaking the page. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, failed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error, failed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
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
