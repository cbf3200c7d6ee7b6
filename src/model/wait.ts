/** What a model is waiting for; progress shows it. */
export type Wait = {
  seconds: number
  /** What went wrong before, in the server's or the network's words. */
  problem?: string
} & (
  | { for: 'rate-limit' }
  /** A request that failed is sent again: the `attempt`-th of `of` times. */
  | { for: 'retry'; attempt: number; of: number }
  /** Nobody answers at the server's address. */
  | { for: 'server' }
)

/** What whoever opens a model may want to know while it works. */
export type OpenModelOptions = {
  /** How many requests may be under way, where that is not left to the model. */
  workers?: number
  /** Is told when a request has to wait. */
  onWait?: (wait: Wait) => void
}
