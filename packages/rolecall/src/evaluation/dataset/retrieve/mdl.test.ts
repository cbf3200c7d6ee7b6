import { describe, expect, test } from 'vitest'
import { nodeEnvironment } from '../../../node/runs/node-environment.ts'
import { checkRetriever, chooseExamples } from './choose-examples.ts'

const rows = Array.from({ length: 8 }, (_, id) => ({ question: `q${id}`, answer: id % 2 === 0 ? 'A' : 'B' }))
/** The inner product with a later question grows with the row's index. */
const embed = async (texts: readonly string[]) => texts.map((text) => [1, -Math.abs(Number(text.slice(1)) || 0) / 10])
const dataset = {
  abbr: 'd',
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { retriever: { type: 'MDLRetriever', ice_num: 2, candidate_num: 6, select_time: 4, embeddings: embed } },
}

describe('MDLRetriever', () => {
  test('chooses the set of near rows with which a model is most certain of its label', async () => {
    const tried: string[][] = []
    const losses = async (_: unknown, examples: readonly object[]) => {
      const shown = examples.map((row) => (row as { question: string }).question)
      tried.push(shown)
      // The third tried set makes one label certain.
      return tried.length % 4 === 3 ? [0, 50] : [1, 1]
    }
    const chosen = await chooseExamples(dataset, rows, embed, losses)
    const examples = await chosen.examplesFor({ question: 'q9', answer: '' }, 0)
    expect(tried).toHaveLength(4)
    expect(tried[0]).toEqual(['q7', 'q6'])
    expect(examples.map((row) => (row as { question: string }).question)).toEqual(tried[2])
  })

  test('chooses the same for a row in any order of rows, and never the row itself', async () => {
    const losses = async (_: unknown, examples: readonly object[]) => [examples.length, JSON.stringify(examples).length % 7]
    const inOrder = await chooseExamples(dataset, rows, embed, losses)
    const expected = []
    for (const [number, row] of rows.entries()) expected.push(await inOrder.examplesFor(row, number))
    const reversed = await chooseExamples(dataset, rows, embed, losses)
    for (const number of [7, 3, 5, 0]) expect(await reversed.examplesFor(rows[number]!, number)).toEqual(expected[number])
    for (const [number, row] of rows.entries()) {
      expect(expected[number]).toHaveLength(2)
      expect(expected[number]).not.toContain(row)
    }
  })

  test('reports what it needs', async () => {
    await expect(chooseExamples(dataset, rows, embed)).rejects.toThrow('infer_cfg.retriever.ce_model: this retriever needs a model')
    await expect(chooseExamples(dataset, rows)).rejects.toThrow('infer_cfg.retriever.embeddings')
  })

  test('takes the nearest rows, without a model, if the labels have one text', async () => {
    const template = { round: [{ role: 'HUMAN', prompt: '{question}' }] }
    const infer_cfg = { ...dataset.infer_cfg, prompt_template: { template } }
    const byModel = await chooseExamples({ ...dataset, infer_cfg }, rows, embed)
    const nearest = await chooseExamples(
      { ...dataset, infer_cfg: { ...infer_cfg, retriever: { type: 'TopkRetriever', ice_num: 2 } } },
      rows,
      embed,
    )
    // All rows are equally near to the first.
    for (const [number, row] of [...rows.entries()].slice(1))
      expect(await byModel.examplesFor(row, number)).toEqual(await nearest.examplesFor(row, number))
    expect(() =>
      checkRetriever({ infer_cfg: { retriever: { type: 'MDLRetriever', embeddings: 'x' }, prompt_template: { template } } }),
    ).not.toThrow()
  })

  test('queries a real model in a run', async () => {
    const label = (letter: string) => ({
      begin: '</E>',
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt: letter },
      ],
    })
    const opened = await nodeEnvironment('.').openRows({
      ...dataset,
      rows: [{ question: 'q9', answer: 'A' }],
      train_rows: rows,
      infer_cfg: {
        ice_template: {
          template: {
            round: [
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
        prompt_template: { template: { A: label('A'), B: label('B') }, ice_token: '</E>' },
        retriever: { ...dataset.infer_cfg.retriever, ce_model: { type: 'embedded', format: 'internlm2' } },
      },
    })
    expect(await opened.examplesFor({ question: 'q9', answer: 'A' }, 0)).toHaveLength(2)
  }, 60_000)
})
