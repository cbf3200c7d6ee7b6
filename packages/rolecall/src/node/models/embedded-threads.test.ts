import { expect, test } from 'vitest'
import { control, plain } from '../../../../core/src/base/text/index.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import { tinyChat } from '../../model/embedded/open-embedded.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { loadEmbeddedThreads } from './embedded-threads.ts'
import { embeddedWeights, loadEmbedded } from './load-embedded.ts'
import { NetworkThread } from './network-thread.ts'

const format = { by: 'format', path: 'test' } as const
const ask = (question: string, answer = ''): Prompt => ({
  kind: 'completion',
  bos: 'in-prompt',
  pieces: [
    control('<s><|im_start|>user\n', format),
    plain(question, { by: 'field', path: 'question' }),
    control('<|im_end|>\n<|im_start|>assistant\n', format),
    ...(answer === '' ? [] : [plain(answer, { by: 'field', path: 'answer' })]),
  ],
  stop: [],
  notes: [],
})
const questions = Array.from({ length: 40 }, (_, index) => `${index}+${(index * 7) % 40}=?`)

/** What does not depend on earlier texts. */
const withoutReuse = ({ tokens: { reused: _, ...tokens }, ...reply }: Awaited<ReturnType<LanguageModel['generate']>>) => ({
  ...reply,
  tokens,
})

test('many requests are answered in threads with the numbers of one thread, in order', { timeout: 120_000 }, async () => {
  const [one, many] = [await loadEmbedded(), await loadEmbeddedThreads({ processors: 2 })]
  expect(many.concurrency).toBe(1)
  const generate = (model: LanguageModel, text: string, index: number) =>
    model.generate(ask(text), { maxTokens: 3, topTokens: 2, sampling: { temperature: 1, seed: index } })
  const arrived: number[] = []
  const threaded = await Promise.all(
    questions.map(async (text, index) => {
      const reply = await generate(many, text, index)
      arrived.push(index)
      return reply
    }),
  )
  expect(many.concurrency).toBe(4)
  // A run sends the first 32 one after another; here, all of them are sent at once.
  expect(arrived.filter((index) => index >= 32)).toEqual(questions.map((_, index) => index).slice(32))
  for (const [index, text] of questions.entries())
    expect(withoutReuse(threaded[index]!)).toEqual(withoutReuse(await generate(one, text, index)))
  const labels = ['1', '12', 'no'].map((answer) => ask('5+7=?', answer))
  const [expected, scored] = [await one.score!(labels, { topTokens: 1 }), await many.score!(labels, { topTokens: 1 })]
  expect(scored.map(({ reused: _, ...rest }) => rest)).toEqual(expected.map(({ reused: _, ...rest }) => rest))
  await many.close!()
})

test('with one processor or one worker there are no threads', async () => {
  for (const options of [{ processors: 1 }, { processors: 4, workers: 1 }]) {
    const model = await loadEmbeddedThreads(options)
    for (const text of questions) await model.generate(ask(text), { maxTokens: 1 })
    expect(model.concurrency ?? 1).toBe(1)
  }
})

test('a thread that cannot start or is stopped fails its requests, with what to do', { timeout: 120_000 }, async () => {
  const broken = new NetworkThread({ weights: new URL('missing', embeddedWeights).href, shape: tinyChat.shape })
  await expect(broken.network().begin([1])).rejects.toThrow(/no such file|ENOENT/)
  const stopped = new NetworkThread({ weights: embeddedWeights.href, shape: tinyChat.shape })
  const pending = stopped.network().begin([1])
  const failure = expect(pending).rejects.toThrow(/a thread that runs it failed.*--max-num-workers 1/s)
  await Promise.all([stopped.stop(), failure])
  await expect(stopped.network().append(1)).rejects.toThrow('--max-num-workers 1')
  await broken.stop()
})
