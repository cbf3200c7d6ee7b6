import type { LanguageModel } from './language-model.ts'

/** How many requests wait for each model, so that none is idle while the next row is prepared. */
const waiting = 2

/**
 * Several copies of a local model as one: requests go to them in turn, and replies arrive in the order of the requests, as from a single
 * model.
 */
export function spreadRequests(models: readonly LanguageModel[]): LanguageModel {
  let asked = 0
  let last: Promise<unknown> = Promise.resolve()
  function next<Result>(ask: (model: LanguageModel) => Promise<Result>): Promise<Result> {
    const result = ask(models[asked++ % models.length]!)
    // It may fail before the ones before it are finished, when nothing awaits it yet.
    result.catch(() => undefined)
    const inOrder = last.then(() => result)
    last = inOrder.catch(() => undefined)
    return inOrder
  }
  const [first] = models as readonly [LanguageModel]
  return {
    ...first,
    concurrency: models.length * waiting,
    generate: (prompt, options) => next((model) => model.generate(prompt, options)),
    ...(first.score ? { score: (prompts, options) => next((model) => model.score!(prompts, options)) } : {}),
    async close() {
      await Promise.all(models.map((model) => model.close?.()))
    },
  }
}
