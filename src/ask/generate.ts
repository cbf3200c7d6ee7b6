import type { Prompt } from '../format/format.ts'
import type { GenerateOptions, Reply } from '../model/language-model.ts'
import type { Note } from '../note.ts'
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
    const options = signal ? { ...context.generation, signal } : context.generation
    if (context.samples === 1) {
      const { text, finish, tokens, notes } = await context.model.generate(prompt, options)
      return {
        prediction: text,
        prompts: fitted.rendered,
        finish,
        tokens,
        examples: { used: fitted.kept, dropped: fitted.dropped },
        notes: joined(prompt.notes, fitted.notes, notes),
      }
    }
    const replies = await repliesTo(context, prompt, options)
    const sum = (key: keyof Reply['tokens']) => replies.reduce((total, { tokens }) => total + tokens[key], 0)
    const finish = (['aborted', 'length'] as const).find((end) => replies.some((reply) => reply.finish === end)) ?? 'stop'
    return {
      prediction: replies.map(({ text }) => text),
      prompts: fitted.rendered,
      finish,
      tokens: { prompt: sum('prompt'), reused: sum('reused'), reply: sum('reply') },
      examples: { used: fitted.kept, dropped: fitted.dropped },
      notes: joined(prompt.notes, fitted.notes, ...replies.map(({ notes }) => notes)),
    }
  },
}

/** Most rows have none, and then nothing is made. */
function joined(...lists: (readonly Note[])[]): readonly Note[] {
  const said = lists.filter(({ length }) => length > 0)
  return said.length === 0 ? none : said.length === 1 ? said[0]! : said.flat()
}

const none: readonly Note[] = []

/** Several replies with a seed of their own each. */
async function repliesTo({ model, generation, samples }: InferContext, prompt: Prompt, options: GenerateOptions): Promise<Reply[]> {
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
