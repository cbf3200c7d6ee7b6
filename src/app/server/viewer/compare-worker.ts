import { parentPort } from 'node:worker_threads'
import type { ThreadPost, ThreadQuestion } from '../../node/killable-thread.ts'
import { compareNamed, type NamedComparison, type SideNames } from './compare-named.ts'

// The thread that compares runs, so that the server goes on answering.

const post = (message: ThreadPost<NamedComparison>) => parentPort!.postMessage(message)

parentPort!.on('message', ({ id, question }: ThreadQuestion<SideNames>) => post({ id, answer: compareNamed(question) }))
post('ready')
