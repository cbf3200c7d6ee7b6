/**
 * The parts of BullMQ and ioredis that are used. Both are optional peers, absent when this is compiled: their own types would require
 * installing them, with the native parts of their serialiser for every platform.
 */

type Given = string | number | Buffer

/** ioredis's client, with commands as methods. */
export type Redis = {
  /** `end` if it will not reconnect. */
  readonly status: string
  connect(): Promise<unknown>
  disconnect(): void
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'ready', listener: () => void): unknown
  defineCommand(name: string, script: { numberOfKeys: number; lua: string }): void
  pipeline(): RedisBatch
  multi(): RedisBatch
  ping(): Promise<string>
  info(section: string): Promise<string>
  time(): Promise<readonly number[]>
  get(key: string): Promise<string | null>
  mget(keys: readonly string[]): Promise<(string | null)[]>
  set(key: string, value: string, ...options: readonly Given[]): Promise<string | null>
  del(...keys: readonly string[]): Promise<number>
  hset(key: string, field: string, value: string): Promise<number>
  hdel(key: string, ...fields: readonly string[]): Promise<number>
  hgetall(key: string): Promise<Record<string, string>>
  smembers(key: string): Promise<string[]>
  zrange(key: string, start: string, stop: string): Promise<string[]>
  zrem(key: string, ...members: readonly string[]): Promise<number>
  xadd(key: string, id: string, ...fields: readonly Given[]): Promise<string | null>
  xdel(key: string, ...ids: readonly string[]): Promise<number>
  xlen(key: string): Promise<number>
  xread(...given: readonly Given[]): Promise<[stream: string, entries: [id: string, fields: string[]][]][] | null>
  eval(lua: string, keys: number, ...given: readonly Given[]): Promise<unknown>
}

/** A pipeline of commands. */
export type RedisBatch = {
  exists(key: string): RedisBatch
  del(...keys: readonly string[]): RedisBatch
  zrem(key: string, ...members: readonly string[]): RedisBatch
  exec(): Promise<[error: Error | null, result: unknown][] | null>
}

export type RedisOptions = {
  lazyConnect?: boolean
  maxRetriesPerRequest?: number | null
  connectTimeout?: number
  keepAlive?: number
  retryStrategy?: (times: number) => number
}

type Emitter = { on(event: 'error', listener: () => void): unknown }

/** A job of BullMQ. */
export type Job<Data> = {
  id?: string | undefined
  data: Data
  attemptsStarted: number
  stalledCounter: number
  /** When it was taken, by this machine's clock. */
  processedOn?: number | undefined
  moveToWait(token?: string): Promise<unknown>
  moveToCompleted(result: unknown, token: string, fetchNext?: boolean): Promise<unknown>
  moveToFailed(error: Error, token: string, fetchNext?: boolean): Promise<unknown>
}

export type JobsOptions = { removeOnComplete?: boolean; removeOnFail?: boolean; jobId?: string }

/** BullMQ's queue. */
export type Queue<Data> = Emitter & {
  readonly name: string
  toKey(type: string): string
  addBulk(jobs: readonly { name: string; data: Data; opts?: JobsOptions }[]): Promise<unknown>
  getJobs(states: readonly string[]): Promise<(Job<Data> | undefined)[]>
  getJobCounts(...states: readonly string[]): Promise<Record<string, number>>
  drain(delayed?: boolean): Promise<void>
  obliterate(options: { force: boolean }): Promise<void>
}

/** BullMQ's worker, polled for jobs one by one. */
export type Worker<Data> = Emitter & {
  getNextJob(token: string, options?: { block?: boolean }): Promise<Job<Data> | undefined>
  toKey(type: string): string
  startStalledCheckTimer(): Promise<void>
  close(force?: boolean): Promise<void>
}

type Shared = { connection: Redis; prefix: string; skipVersionCheck?: boolean }

export type QueueOptions = Shared & { defaultJobOptions?: JobsOptions }

export type JobWorkerOptions = Shared & {
  autorun?: boolean
  lockDuration?: number
  stalledInterval?: number
  maxStalledCount?: number
  drainDelay?: number
  skipLockRenewal?: boolean
}
