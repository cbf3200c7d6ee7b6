import { availableParallelism } from 'node:os'
import { networkModel } from '../../model/embedded/embedded-model.ts'
import { tinyChat } from '../../model/embedded/open-embedded.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { spreadRequests } from '../../model/language-model/spread-requests.ts'
import { type EmbeddedOptions, embeddedTokenizer, embeddedWeights, loadEmbedded } from './load-embedded.ts'
import { NetworkThread } from './network-thread.ts'

/** Each takes 25 MB, and more for texts that it keeps. */
const mostThreads = 8

/** Requests that this thread answers first, unless others are running: starting them takes as long as a few requests, and many runs have no more. */
const requestsAlone = 32

/** How long idle threads wait for the next model of a run. */
const idleMilliseconds = 2000

type Threads = { all: NetworkThread[]; users: number; idle?: NodeJS.Timeout }

/** Shared by the models of this process. */
let threads: Threads | undefined

/**
 * The embedded model for many independent requests, such as the rows of a run: after the first ones it runs in a thread per processor.
 * Replies are the same, and in the same order, as from one thread; only how much of a prompt was cached differs.
 */
export async function loadEmbeddedThreads({
  workers,
  processors = availableParallelism(),
  ...options
}: EmbeddedOptions & { workers?: number | undefined; processors?: number } = {}): Promise<LanguageModel> {
  const alone = await loadEmbedded(options)
  const count = Math.min(workers ?? mostThreads, processors, mostThreads)
  if (count < 2) return alone
  let spread: LanguageModel | undefined
  let asked = 0
  const model = () => {
    if (threads === undefined && asked++ < requestsAlone) return alone
    spread ??= spreadRequests(useThreads(count).map((thread) => threadModel(thread, options)))
    return spread
  }
  return {
    ...alone,
    get concurrency() {
      return spread?.concurrency ?? 1
    },
    generate: (prompt, given) => model().generate(prompt, given),
    score: (prompts, given) => model().score!(prompts, given),
    async close() {
      if (!spread) return
      await spread.close?.()
      leaveThreads()
    },
  }
}

function threadModel(thread: NetworkThread, options: EmbeddedOptions): LanguageModel {
  const { name, shape } = tinyChat
  return networkModel({ name, tokenizer: embeddedTokenizer(), ...options, network: thread.network(), context: shape.context })
}

function useThreads(count: number): readonly NetworkThread[] {
  const data = { weights: embeddedWeights.href, shape: tinyChat.shape }
  threads ??= { all: [], users: 0 }
  clearTimeout(threads.idle)
  threads.users++
  while (threads.all.length < count) threads.all.push(new NetworkThread(data))
  return threads.all.slice(0, count)
}

function leaveThreads(): void {
  const left = threads!
  if (--left.users > 0) return
  left.idle = setTimeout(() => {
    threads = undefined
    for (const thread of left.all) void thread.stop()
  }, idleMilliseconds).unref()
}
