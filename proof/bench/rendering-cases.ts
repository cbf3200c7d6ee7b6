import type { Row } from '../../packages/rolecall/src/datasets.ts'
import type { DatasetConfig, ModelConfig } from '../../packages/rolecall/src/index.ts'

/** A typical dataset and model; sizes follow the cases the reference was measured with. */
export type RenderingCase = {
  name: string
  model: ModelConfig
  dataset: DatasetConfig
  mode: 'gen' | 'ppl'
  shots: number
  train: readonly Row[]
  test: readonly Row[]
  /** Prompts per second of the Python reference, if measured. */
  reference?: number
}

const lm: ModelConfig = { format: 'chatml' }
const api: ModelConfig = { format: 'messages' }

const words = 'the quick brown fox jumps over lazy dogs while seventeen physicists measure oscillating pendulums near Geneva in May'.split(
  ' ',
)
const characters = '下列关于量子力学基本假设与测量原理叙述正确其中能级跃迁光谱实验结果表明温度压力体积之间关系'

function sentence(seed: number, count: number): string {
  return Array.from({ length: count }, (_, index) => words[(seed * 7 + index * 3 + ((seed * index) % 5)) % words.length]).join(' ')
}

function chinese(seed: number, count: number): string {
  return Array.from({ length: count }, (_, index) => characters[(seed * 11 + index * 5 + ((seed * index) % 7)) % characters.length]).join(
    '',
  )
}

function choiceRow(seed: number): Row {
  const [A, B, C, D] = [1, 2, 3, 4].map((offset) => sentence(seed + offset, 4))
  return { question: sentence(seed, 50), A: A!, B: B!, C: C!, D: D!, target: 'ABCD'[seed % 4]! }
}

function chineseRow(seed: number): Row {
  const [A, B, C, D] = [1, 2, 3, 4].map((offset) => chinese(seed + offset, 8))
  return { question: chinese(seed, 90), A: A!, B: B!, C: C!, D: D!, target: 'ABCD'[seed % 4]! }
}

function sumRow(seed: number): Row {
  return { question: sentence(seed, 45), answer: sentence(seed + 1, 75) }
}

function rows(count: number, from: number, make: (seed: number) => Row): Row[] {
  return Array.from({ length: count }, (_, index) => make(from + index))
}

const choices = '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer: '
const system = {
  role: 'SYSTEM',
  fallback_role: 'HUMAN',
  prompt: 'The following are multiple choice questions (with answers) about physics.',
}
const reader = { input_columns: ['question', 'A', 'B', 'C', 'D'], output_column: 'target' }
const retriever = { type: 'FixKRetriever' }
const round = (answer: string) => [
  { role: 'HUMAN', prompt: choices },
  { role: 'BOT', prompt: answer },
]

const multipleChoice: DatasetConfig = {
  reader_cfg: reader,
  infer_cfg: {
    ice_template: { template: { round: round('{target}') } },
    prompt_template: { template: { begin: [system, '</E>'], round: round('{target}') }, ice_token: '</E>' },
    retriever,
  },
}

const labels = (template: (label: string) => unknown) => Object.fromEntries(['A', 'B', 'C', 'D'].map((label) => [label, template(label)]))
const fourLabels = {
  reader_cfg: reader,
  infer_cfg: {
    ice_template: { template: { round: round('{target}') } },
    prompt_template: { template: labels((label) => ({ begin: [system, '</E>'], round: round(label) })), ice_token: '</E>' },
    retriever,
    inferencer: { type: 'PPLInferencer' },
  },
} as DatasetConfig

const shown = rows(4, 900, sumRow) as { question: string; answer: string }[]
const inRound: DatasetConfig = {
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: {
    prompt_template: {
      template: {
        round: [
          ...shown.flatMap(({ question, answer }) => [
            { role: 'HUMAN', prompt: `Question: ${question}\nLet's think step by step\nAnswer:` },
            { role: 'BOT', prompt: answer },
          ]),
          { role: 'HUMAN', prompt: "Question: {question}\nLet's think step by step\nAnswer:" },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
  },
}

const sumRound = [
  { role: 'HUMAN', prompt: "Question: {question}\nLet's think step by step\nAnswer:" },
  { role: 'BOT', prompt: '{answer}' },
]
const asExamples: DatasetConfig = {
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: {
    ice_template: { template: { round: sumRound } },
    prompt_template: { template: { begin: ['</E>'], round: sumRound }, ice_token: '</E>' },
    retriever,
  },
}

export const choiceData = { train: rows(200, 10_000, choiceRow), test: rows(512, 0, choiceRow) }
const chineseData = { train: rows(200, 10_000, chineseRow), test: rows(512, 0, chineseRow) }
const sumData = { train: rows(200, 10_000, sumRow), test: rows(512, 0, sumRow) }

export const renderingCases: readonly RenderingCase[] = [
  { name: 'mmlu-5shot-lm', model: lm, dataset: multipleChoice, mode: 'gen', shots: 5, ...choiceData, reference: 2740 },
  { name: 'mmlu-5shot-api', model: api, dataset: multipleChoice, mode: 'gen', shots: 5, ...choiceData, reference: 1823 },
  { name: 'mmlu-5shot-ppl', model: lm, dataset: fourLabels, mode: 'ppl', shots: 5, ...choiceData, reference: 2039 },
  { name: 'gsm8k-4turns-lm', model: lm, dataset: inRound, mode: 'gen', shots: 0, ...sumData, reference: 7450 },
  { name: 'gsm8k-4turns-api', model: api, dataset: inRound, mode: 'gen', shots: 0, ...sumData, reference: 6496 },
  { name: 'gsm8k-4shot-lm', model: lm, dataset: asExamples, mode: 'gen', shots: 4, ...sumData, reference: 2735 },
  { name: 'chinese-5shot-lm', model: lm, dataset: multipleChoice, mode: 'gen', shots: 5, ...chineseData },
]
