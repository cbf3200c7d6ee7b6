import { parentPort } from 'node:worker_threads'
import { callJavaScript, type JavaScriptResult, openJavaScript } from '../../../compat/promptfoo/call-javascript.ts'
import type { ThreadPost, ThreadQuestion } from '../../killable-thread.ts'
import type { JavaScriptQuestion } from './javascript-thread.ts'

// The thread that calls JavaScript functions of configs in the sandbox; `runInThread` terminates it when one takes too long.

const post = (message: ThreadPost<JavaScriptResult>) => parentPort!.postMessage(message)

parentPort!.on('message', async ({ id, question }: ThreadQuestion<JavaScriptQuestion>) => {
  await openJavaScript()
  post({ id, answer: callJavaScript(question.javascript, question.args) })
})
await openJavaScript()
post('ready')
