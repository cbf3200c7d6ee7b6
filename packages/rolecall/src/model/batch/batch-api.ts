import type { Server } from '../openai/http/model-server.ts'

/** A request of a batch: its id in it, and its body as JSON. */
export type BatchRequest = { id: string; body: string }

/** How far a batch is. `place`: where its results are. */
export type BatchStatus = {
  state: 'running' | 'ended' | 'failed'
  done: number
  total: number
  /** Why it failed. */
  problem?: string
  places: readonly string[]
  /** What became of requests without a result. */
  missing: 'expired' | 'cancelled' | 'missing'
}

/** The result of a request: a response, or what became of it instead. */
export type BatchResult = { id: string } & ({ status: number; body: string } | { without: 'expired' | 'cancelled' })

/** A batch of the service, as its list has it. */
export type ListedBatch = { id: string; created: number; total: number; mark: string | undefined }

/** The batch endpoint of a service. */
export type BatchApi = {
  title: string
  /** The most requests and bytes of a batch. */
  most: { requests: number; bytes: number }
  /** Submits requests of one path; returns the batch's id. `mark` names the batch in its list, where the service keeps one. */
  create(control: Server, path: string, requests: readonly BatchRequest[], mark: string): Promise<string>
  /** The latest batches. */
  list(control: Server): Promise<readonly ListedBatch[]>
  status(control: Server, id: string): Promise<BatchStatus>
  /** A line of a file of results. */
  readLine(line: string): BatchResult
}
