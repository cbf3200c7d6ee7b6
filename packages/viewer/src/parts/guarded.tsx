import { Component, type ComponentChildren } from 'preact'
import { partTexts } from '../texts/parts.ts'
import { ErrorBox } from './error-box.tsx'

type Props = {
  /** The part of the page, as its readers call it. */
  place: string
  /** The part is tried again when this changes: another row, another filter. */
  retryOn?: string
  children: ComponentChildren
}

/** A part of a page that fails alone: the error stands in its place, and the rest of the page stays. */
export class Guarded extends Component<Props, { error?: Error }> {
  static override getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override componentDidUpdate(previous: Props): void {
    if (this.state.error !== undefined && previous.retryOn !== this.props.retryOn) this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const words = partTexts()
    return (
      <section class="guarded" aria-label={this.props.place}>
        <p>{words.partFailed(this.props.place)}</p>
        <ErrorBox error={error} />
        <button type="button" onClick={() => this.setState({ error: undefined })}>
          {words.tryAgain}
        </button>
      </section>
    )
  }
}
