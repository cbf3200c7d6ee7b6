import { parentPort } from 'node:worker_threads'
import type { ThreadPost, ThreadQuestion } from '../../node/killable-thread.ts'
import { compareNamed, type SideNames } from './compare-named.ts'
import { type ExplainedGroups, type ExplainedNames, explainNamed, explainNamedGroups } from './explain-named.ts'
import type { NamedAnswer } from './named-answer.ts'

// The thread that compares and explains runs, so that the server goes on answering.

export type CompareQuestion = { compare: SideNames } | { explain: ExplainedNames } | { explainGroups: ExplainedGroups }

const post = (message: ThreadPost<NamedAnswer>) => parentPort!.postMessage(message)

async function answerOf(question: CompareQuestion): Promise<NamedAnswer> {
  if ('compare' in question) return compareNamed(question.compare)
  return 'explain' in question ? explainNamed(question.explain) : explainNamedGroups(question.explainGroups)
}

parentPort!.on('message', async ({ id, question }: ThreadQuestion<CompareQuestion>) => post({ id, answer: await answerOf(question) }))
post('ready')
