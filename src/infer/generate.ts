import { fitPrompts } from './fit-prompts.ts'
import type { Inferencer, PlanContext, RowQuestion } from './inferencer.ts'

/** GenInferencer: the model writes the answer. */
export const generate: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  prompts: (context, question) => [promptOf(context, question)],
  async infer(context, question) {
    const { model, generation, signal } = context
    const fitted = fitPrompts(context, question, (asked) => [promptOf(context, asked)])
    const prompt = fitted.rendered[0]!
    const reply = await model.generate(prompt, { ...generation, ...(signal ? { signal } : {}) })
    return {
      prediction: reply.text,
      prompts: [prompt],
      finish: reply.finish,
      tokens: reply.tokens,
      examples: { used: fitted.kept, dropped: fitted.dropped },
      notes: [...prompt.notes, ...fitted.notes, ...reply.notes],
    }
  },
}

function promptOf({ maker }: PlanContext, { row, examples }: RowQuestion) {
  return maker.prepare({ mode: 'gen' }).prompt(row, examples)
}
