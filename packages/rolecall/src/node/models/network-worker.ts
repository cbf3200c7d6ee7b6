import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type Network, transformerNetwork } from '../../model/embedded/network.ts'
import { Transformer } from '../../model/embedded/transformer.ts'
import type { NetworkReply, NetworkRequest, NetworkWorkerData } from './network-thread.ts'

// A thread with the embedded model's network; `NetworkThread` is the other end.

const { weights, shape } = workerData as NetworkWorkerData
const loading = readFile(new URL(weights)).then((file) => Transformer.load(file, shape))

/** One per opened model, as in a process without threads. */
const networks = new Map<number, Network>()

parentPort!.on('message', async ({ id, reader, ask }: NetworkRequest) => {
  let reply: NetworkReply
  try {
    reply = { id, value: await answer(reader, ask) }
  } catch (error) {
    reply = { id, problem: error instanceof Error ? error.message : String(error) }
  }
  parentPort!.postMessage(reply)
})

async function answer(reader: number, ask: NetworkRequest['ask']): Promise<unknown> {
  const network = networks.get(reader) ?? transformerNetwork(await loading)
  networks.set(reader, network)
  switch (ask.kind) {
    case 'score':
      return network.score(ask.ids, ask.topTokens)
    case 'begin':
      return network.begin(ask.ids)
    case 'append':
      return network.append(ask.id)
    case 'close':
      return void networks.delete(reader)
    default:
      return ask satisfies never
  }
}
