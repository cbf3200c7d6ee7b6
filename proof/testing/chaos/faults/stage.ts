import { cpSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from '../../folder-with.ts'
import { addingServer, type Process, recordsOf, start, sumsFolder } from '../../queued-run.ts'
import { type RedisServer, redisServer } from '../../redis-server.ts'
import { rolecall } from '../../rolecall.ts'

/** Rows in flight per worker. */
export const slots = 4

/** The environment of a fault: a queue, an adding server, and the records of a run without a queue. */
export type Stage = {
  /** redis-server or valkey-server. */
  program: string
  redis: RedisServer
  asked: Map<string, number>
  /** Called with each requested sum, e.g. `7+1`. */
  onAsked: (sum: string) => void
  expected: string
  /** A folder with the config and the rows, or fewer. */
  folder(fewer?: number): string
  /** Starts a coordinator in the folder. */
  coordinate(folder: string, ...more: string[]): Process
  coordinateWith(env: Readonly<Record<string, string>>, folder: string, ...more: string[]): Process
  work(env?: Readonly<Record<string, string>>, program?: string, url?: string, more?: readonly string[]): Process
  /** The number of repeated requests. */
  repeated(): number
  /** Ends the processes that this fault has started. */
  clear(): Promise<void>
  close(): Promise<void>
}

export async function openStage(server: string, rows = 240, seconds = 2): Promise<Stage> {
  const redis = await redisServer(server)
  const stage = { onAsked: () => {} } as Partial<Stage>
  const adder = await addingServer(20, (sum) => stage.onAsked!(sum))
  const plain = sumsFolder(adder.url, rows)
  await rolecall(['run', 'eval.json', '-w', 'runs', '--no-cache', '--max-num-workers', '16'], plain)
  adder.asked.clear()
  const started: Process[] = []
  const begin = (...given: Parameters<typeof start>) => {
    const one = start(given[0], given[1], { ROLECALL_QUEUE_LOCK: String(seconds), ...given[2] }, given[3])
    started.push(one)
    return one
  }
  return Object.assign(stage, {
    redis,
    asked: adder.asked,
    expected: recordsOf(join(plain, 'runs')),
    folder: (fewer = rows) => sumsFolder(adder.url, fewer),
    program: server,
    coordinate: (folder, ...more) => stage.coordinateWith!({}, folder, ...more),
    coordinateWith: (env, folder, ...more) =>
      begin(
        ['run', 'eval.json', '-w', 'runs', '--no-cache', '--queue', ...(more.some(isAddress) ? [] : [redis.url]), ...more],
        folder,
        env,
      ),
    work: (env, program, url = redis.url, more = []) =>
      begin(['worker', url, '--concurrency', String(slots), ...more], plain, env, program),
    repeated: () => [...adder.asked.values()].reduce((sum, times) => sum + times - 1, 0),
    async clear() {
      for (const { child } of started) {
        child.kill('SIGCONT')
        child.kill('SIGKILL')
      }
      await Promise.all(started.splice(0).map(({ ended }) => ended))
      await command(redis, 'FLUSHALL')
      adder.asked.clear()
      stage.onAsked = () => {}
    },
    async close() {
      await redis.stop()
      await adder.close()
    },
  } satisfies Omit<Stage, 'onAsked'>) as Stage
}

function isAddress(word: string): boolean {
  return /^rediss?:\/\//.test(word)
}

/** Sends a command to Redis and returns its raw reply. */
export function command({ port }: RedisServer, ...words: readonly string[]): Promise<string> {
  const request = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`*${words.length}\r\n${request}*1\r\n$4\r\nPING\r\n`))
    socket.on('data', (data) => {
      reply += String(data)
      // The reply to PING shows that the one before it is complete.
      if (!reply.endsWith('+PONG\r\n')) return
      socket.destroy()
      if (reply.startsWith('-')) reject(new Error(reply))
      else resolve(reply.slice(0, -'+PONG\r\n'.length))
    })
    socket.on('error', reject)
  })
}

/** The names of the runs on a queue. */
export async function runsOn(redis: RedisServer): Promise<string[]> {
  const lines = (await command(redis, 'HKEYS', 'rolecall:runs')).split('\r\n')
  return lines.filter((line) => line !== '' && !/^[*$]/.test(line))
}

/** The records in a folder, without timestamps. */
export function recorded(folder: string): string {
  return recordsOf(join(folder, 'runs'))
}

/** The command line as if another version were installed. */
export function otherVersion(version: string): string {
  const root = folderWith({ 'package.json': JSON.stringify({ name: 'rolecall', type: 'module', version }) })
  const clone = fileURLToPath(new URL('../../../../', import.meta.url))
  cpSync(join(clone, 'packages/rolecall/dist/js'), join(root, 'dist/js'), { recursive: true })
  symlinkSync(join(clone, 'node_modules'), join(root, 'node_modules'))
  for (const name of ['quickstart', 'embedded-model', 'schema']) symlinkSync(join(clone, 'packages/rolecall', name), join(root, name))
  return join(root, 'dist/js/cli/main.js')
}

/** A copy of a folder with its run as another machine would have it: without this machine's lock and socket. */
export function copied(folder: string): string {
  const copy = folderWith({})
  cpSync(folder, copy, { recursive: true, filter: (path) => !/run\.lock$|control\.sock$/.test(path) })
  return copy
}
