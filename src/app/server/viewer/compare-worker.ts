import { parentPort } from 'node:worker_threads'
import type { ThreadPost, ThreadQuestion } from '../../node/killable-thread.ts'
import { compareNamed, type SideNames } from './compare-named.ts'
import { type ExplainedNames, explainNamed } from './explain-named.ts'
import type { NamedAnswer } from './named-answer.ts'

// The thread that compares and explains runs, so that the server goes on answering.

export type CompareQuestion = { compare: SideNames } | { explain: ExplainedNames }

const post = (message: ThreadPost<NamedAnswer>) => parentPort!.postMessage(message)

parentPort!.on('message', async ({ id, question }: ThreadQuestion<CompareQuestion>) =>
  post({ id, answer: 'compare' in question ? compareNamed(question.compare) : await explainNamed(question.explain) }),
)
post('ready')
