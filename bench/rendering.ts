import { compilePrompt, type DatasetConfig, type ModelConfig, type Row } from '../src/index.ts'
import { ByteSink } from '../src/text/byte-sink.ts'

export type RenderingCase = {
  name: string
  model: ModelConfig
  dataset: DatasetConfig
  mode: 'gen' | 'ppl'
  shots: number
  train: Row[]
  test: Row[]
}

const chatml: ModelConfig = {
  meta_template: {
    round: [
      { role: 'HUMAN', begin: '<|im_start|>user\n', end: '<|im_end|>\n' },
      { role: 'BOT', begin: '<|im_start|>assistant\n', end: '<|im_end|>\n', generate: true },
    ],
    reserved_roles: [{ role: 'SYSTEM', begin: '<|im_start|>system\n', end: '<|im_end|>\n' }],
  },
}
const api: ModelConfig = {
  meta_template: {
    round: [
      { role: 'HUMAN', api_role: 'HUMAN' },
      { role: 'BOT', api_role: 'BOT', generate: true },
    ],
    reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }],
  },
}
const q = '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer: '
const mmlu: DatasetConfig = {
  reader_cfg: { input_columns: ['question', 'A', 'B', 'C', 'D'], output_column: 'target' },
  infer_cfg: {
    ice_template: {
      template: {
        round: [
          { role: 'HUMAN', prompt: q },
          { role: 'BOT', prompt: '{target}\n' },
        ],
      },
    },
    prompt_template: {
      template: {
        begin: [
          { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'The following are multiple choice questions (with answers) about physics.' },
          '</E>',
        ],
        round: [
          { role: 'HUMAN', prompt: q },
          { role: 'BOT', prompt: '{target}' },
        ],
      },
      ice_token: '</E>',
    },
    retriever: { type: 'FixKRetriever' },
  },
}
const words = 'the quick brown fox jumps over lazy dogs while seventeen physicists measure oscillating pendulums near Geneva'.split(' ')
const text = (seed: number, n: number) =>
  Array.from({ length: n }, (_, i) => words[(seed * 7 + i * 3 + ((seed * i) % 5)) % words.length]).join(' ')
const row = (i: number): Row => ({
  question: text(i, 50),
  A: text(i + 1, 4),
  B: text(i + 2, 4),
  C: text(i + 3, 4),
  D: text(i + 4, 4),
  target: 'ABCD'[i % 4]!,
})
const train = Array.from({ length: 200 }, (_, i) => row(i + 10_000))
const test = Array.from({ length: 512 }, (_, i) => row(i))

for (const [name, model] of [
  ['lm', chatml],
  ['api', api],
] as const) {
  const prepared = compilePrompt(model, mmlu).prepare({ mode: 'gen' })
  const fixed = train.slice(0, 5)
  const varied = test.map((_, i) => Array.from({ length: 5 }, (_, k) => train[(i * 5 + k) % train.length]!))
  const sink = new ByteSink(1 << 16)
  const finished = test.map((r) => prepared.text(r, fixed))
  const time = (label: string, step: (i: number) => void) => {
    for (let i = 0; i < 20_000; i++) step(i & 511)
    let best = 0
    for (let rep = 0; rep < 7; rep++) {
      const n = 100_000
      const t = process.hrtime.bigint()
      for (let i = 0; i < n; i++) step(i & 511)
      const s = Number(process.hrtime.bigint() - t) / 1e9
      best = Math.max(best, n / s)
    }
    console.log(name, label, Math.round(best).toLocaleString())
  }
  const buffer = Buffer.allocUnsafe(1 << 16)
  console.log(finished[0]!.length)
  time('floor utf8Write', (i) => {
    buffer.write(finished[i]!, 0)
  })
  const enc = new TextEncoder()
  time('floor encodeInto', (i) => {
    enc.encodeInto(finished[i]!, buffer)
  })
  time('fixed', (i) => {
    sink.clear()
    prepared.write(test[i]!, sink, fixed)
  })
  time('varied', (i) => {
    sink.clear()
    prepared.write(test[i]!, sink, varied[i]!)
  })
  time('text', (i) => {
    prepared.text(test[i]!, fixed)
  })
  time('pieces', (i) => {
    prepared.prompt(test[i]!, fixed)
  })
}
