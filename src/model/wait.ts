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
export type OpenModelOptions = { onWait?: (wait: Wait) => void }
