import { afterEach, expect, test, vi } from 'vitest'
import type { Trial } from './trial.ts'
import { tryFirst } from './try-first.ts'

/** Answers trials in order, as a worker does: none after one that never ends. */
class FakeWorker extends EventTarget {
  #isStuck = false

  postMessage({ id, trial }: { id: number; trial: Trial }) {
    this.#isStuck ||= trial === endless
    if (!this.#isStuck) queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: id })))
  }

  terminate() {}
}

const trial = (question: string): Trial => ({ model: {}, dataset: { infer_cfg: {} }, mode: undefined, question })
const endless = trial('endless')

afterEach(() => vi.unstubAllGlobals())

test('a template that never ends does not fail those that are tried at the same time', async () => {
  vi.stubGlobal('Worker', FakeWorker)
  const tried = [tryFirst(trial('before')), tryFirst(endless, { seconds: 0.01 }), tryFirst(trial('after'))]
  const [before, stuck, after] = await Promise.allSettled(tried)
  expect(before).toMatchObject({ status: 'fulfilled' })
  expect(stuck).toMatchObject({ status: 'rejected', reason: { code: 'template-limit' } })
  expect(after).toMatchObject({ status: 'fulfilled' })
})

test('trials of earlier keystrokes do not hold up the current one', async () => {
  vi.stubGlobal('Worker', FakeWorker)
  const typed = new AbortController()
  const running = tryFirst(endless, { seconds: 0.01, signal: typed.signal })
  const queued = tryFirst(endless, { seconds: 60, signal: typed.signal })
  typed.abort(new Error('typed'))
  const [, skipped, current] = await Promise.allSettled([running, queued, tryFirst(trial('current'))])
  expect(skipped).toMatchObject({ status: 'rejected', reason: { message: 'typed' } })
  expect(current).toMatchObject({ status: 'fulfilled' })
})
