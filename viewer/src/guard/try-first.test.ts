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

const trial = (row: string): Trial => ({ kind: 'playground', state: { model: '', dataset: '', row, mode: '' } })
const endless = trial('endless')

afterEach(() => vi.unstubAllGlobals())

test('a template that never ends fails alone: those tried at the same time have a worker of their own', async () => {
  vi.stubGlobal('Worker', FakeWorker)
  const tried = [tryFirst(trial('before'), 60), tryFirst(endless, 0.01), tryFirst(trial('after'), 60)]
  const [before, stuck, after] = await Promise.allSettled(tried)
  expect(before).toMatchObject({ status: 'fulfilled' })
  expect(stuck).toMatchObject({ status: 'rejected', reason: { code: 'template-limit' } })
  expect(after).toMatchObject({ status: 'fulfilled' })
})
