/** Runs a function as if no optional peer were installed. */
export async function withoutPeers<Result>(work: () => Promise<Result>): Promise<Result> {
  const { ROLECALL_PEERS: before } = process.env
  delete process.env.ROLECALL_PEERS
  try {
    return await work()
  } finally {
    if (before !== undefined) process.env.ROLECALL_PEERS = before
  }
}
