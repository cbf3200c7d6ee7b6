import { generated, type Inferencer } from './inferencer.ts'

/** GenInferencer: the model writes the answer. */
export const generate: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  *ask(plan, { row, examples }) {
    const { samples } = plan
    const { replies } = yield* generated({ kind: 'generate', prompts: [plan.write({ row, examples, mode: 'gen' })], samples })
    return { prediction: samples === 1 ? replies[0]!.text : replies.map(({ text }) => text) }
  },
}
