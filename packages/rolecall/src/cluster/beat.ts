/** Messages to the thread: what to keep alive, or to stop renewing. */
export type BeatMessage =
  /** A job's lock. */
  | { kind: 'hold'; job: string; base: string; token: string }
  | { kind: 'drop'; job: string; base: string }
  /** A key, renewed only if no other process has changed its value. */
  | { kind: 'lease'; key: string; value: string }
  /** A key with a changing value, and its entry in a sorted set of such keys. */
  | { kind: 'status'; key: string; value: string; set: string; member: string }

/** Messages from the thread. */
export type BeatNews =
  /** It is connected to Redis and renews locks. */
  | { kind: 'ready' }
  /** Another process has taken the lease. */
  | { kind: 'lost'; key: string }
  /** The lock of a job expired, and the job went back to the queue: it is no longer renewed. */
  | { kind: 'lost-job'; base: string; job: string }
  /** Redis rejected a renewal. */
  | { kind: 'refused'; problem: string }
  /** Milliseconds since Redis last replied, and the result of the last connection attempt; or Redis is back. */
  | { kind: 'silent'; milliseconds: number; problem: string | undefined }
  | { kind: 'again'; milliseconds: number }

export type BeatData = {
  /** The file of ioredis. */
  library: string
  url: string
  lock: number
  beat: number
  /** The script `holdJobs`. */
  extend: string
}

/**
 * The code of the heartbeat thread. It is started from its source text, so that it works bundled or not: it must not use
 * imports.
 */
export function beat(): void {
  const { workerData, parentPort } = process.getBuiltinModule('node:worker_threads')
  const { createRequire } = process.getBuiltinModule('node:module')
  const { library, url, lock, beat: every, extend } = workerData as BeatData
  type Client = {
    on(event: string, listener: (error: Error & { code?: string }) => void): void
    eval(lua: string, keys: number, ...given: (string | number)[]): Promise<unknown>
    disconnect(): void
  }
  const { Redis } = createRequire(library)(library) as { Redis: new (url: string, options: object) => Client }
  const tellMain = (news: BeatNews) => parentPort!.postMessage(news)
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: (times: number) => Math.min(1000, 50 * 2 ** times) })
  let unreachable: string | undefined
  redis.on('error', ({ message, code }) => {
    unreachable = message || code
  })
  redis.on('ready', () => {
    unreachable = undefined
    tellMain({ kind: 'ready' })
  })
  type Held = { base: string; job: string; token: string }
  const keyOf = ({ base, job }: Omit<Held, 'token'>) => `${base}${job}`
  const jobs = new Map<string, Held>()
  const leases = new Map<string, string>()
  const statuses = new Map<string, { value: string; set: string; member: string }>()

  const renew = `
    local held = redis.call('GET', KEYS[1])
    if held and held ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return 1`
  const tell = `
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    local time = redis.call('TIME')
    redis.call('ZADD', KEYS[2], time[1], ARGV[3])`

  const lose = (held: readonly Held[], lost: readonly number[]) => {
    for (const index of lost) {
      const one = held[index]!
      // It may have been dropped meanwhile, or taken again.
      if (jobs.get(keyOf(one)) !== one) continue
      jobs.delete(keyOf(one))
      tellMain({ kind: 'lost-job', base: one.base, job: one.job })
    }
  }
  const renewAll = async () => {
    const held = [...jobs.values()]
    const work: Promise<unknown>[] = []
    if (held.length > 0) {
      const given = held.flatMap(({ job, token }) => [job, token])
      work.push(
        redis.eval(extend, held.length, ...held.map(({ base }) => base), lock, ...given).then((lost) => lose(held, lost as number[])),
      )
    }
    for (const [key, value] of leases) {
      work.push(
        redis.eval(renew, 1, key, value, lock).then((kept) => {
          if (kept === 0) tellMain({ kind: 'lost', key })
        }),
      )
    }
    for (const [key, { value, set, member }] of statuses) work.push(redis.eval(tell, 2, key, set, value, lock, member))
    for (const one of await Promise.allSettled(work)) {
      if (one.status === 'rejected') tellMain({ kind: 'refused', problem: String((one.reason as Error)?.message ?? one.reason) })
    }
  }

  /** When the pending command was sent, and whether the delay was reported. */
  let waiting: { since: number; isReported: boolean } | undefined
  const turn = () => {
    const now = performance.now()
    if (!waiting) {
      const own = { since: now, isReported: false }
      waiting = own
      void renewAll().finally(() => {
        waiting = undefined
        if (own.isReported) tellMain({ kind: 'again', milliseconds: performance.now() - own.since })
      })
      return
    }
    // While Redis is down, one attempt is pending, not hundreds.
    if (waiting.isReported || now - waiting.since < every / 2) return
    waiting.isReported = true
    tellMain({ kind: 'silent', milliseconds: now - waiting.since, problem: unreachable })
  }
  setInterval(turn, every)
  const take = (message: BeatMessage) => {
    if (message.kind === 'hold') jobs.set(keyOf(message), message)
    else if (message.kind === 'drop') jobs.delete(keyOf(message))
    else if (message.kind === 'lease') leases.set(message.key, message.value)
    else {
      const isNew = !statuses.has(message.key)
      statuses.set(message.key, message)
      if (isNew) turn()
    }
  }
  parentPort!.on('message', (messages: readonly BeatMessage[]) => messages.forEach(take))
}
