import type { Prompt } from '../format/format.ts'
import type { Reply } from '../model/language-model.ts'
import { fitPrompts } from './fit-prompts.ts'
import type { InferContext, Inferencer, PlanContext, RowQuestion } from './inferencer.ts'

/** GenInferencer: the model writes the answer. */
export const generate: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  prompts: (context, question) => [promptOf(context, question)],
  async infer(context, question) {
    const { signal } = context
    const fitted = fitPrompts(context, question, (asked) => [promptOf(context, asked)])
    const prompt = fitted.rendered[0]!
    const replies = await repliesTo(context, prompt, signal)
    const sum = (key: keyof Reply['tokens']) => replies.reduce((total, { tokens }) => total + tokens[key], 0)
    const finish = (['aborted', 'length'] as const).find((end) => replies.some((reply) => reply.finish === end)) ?? 'stop'
    return {
      prediction: context.samples > 1 ? replies.map(({ text }) => text) : replies[0]!.text,
      prompts: [prompt],
      finish,
      tokens: { prompt: sum('prompt'), reused: sum('reused'), reply: sum('reply') },
      examples: { used: fitted.kept, dropped: fitted.dropped },
      notes: [...prompt.notes, ...fitted.notes, ...replies.flatMap(({ notes }) => notes)],
    }
  },
}

/** One reply, or several with a seed of their own each. */
async function repliesTo({ model, generation, samples }: InferContext, prompt: Prompt, signal: AbortSignal | undefined): Promise<Reply[]> {
  const options = { ...generation, ...(signal ? { signal } : {}) }
  if (samples === 1) return [await model.generate(prompt, options)]
  const seed = generation.sampling?.seed ?? 0
  const ask = (sample: number) => model.generate(prompt, { ...options, sampling: { ...generation.sampling, seed: seed + sample } })
  const replies: Reply[] = []
  for (let sample = 0; sample < samples; sample++) {
    const reply = await ask(sample)
    replies.push(reply)
    if (reply.finish === 'aborted') break
  }
  return replies
}

function promptOf({ maker }: PlanContext, { row, examples }: RowQuestion) {
  return maker.prepare({ mode: 'gen' }).prompt(row, examples)
}
