import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '../../core/src/base/errors/prompt-error.ts'
import { sentText } from '../../rolecall/src/evaluation/run/ask/request-text.ts'
import type { RunEnvironment } from '../../rolecall/src/evaluation/run/run-pairs.ts'
import { loadConfig } from '../../rolecall/src/node/config/load-config.ts'
import { nodeEnvironment } from '../../rolecall/src/node/runs/node-environment.ts'
import { runEvaluation } from '../../rolecall/src/node/runs/run-evaluation.ts'

// Two runs with everything the pages can show: every verdict, a judge, rounds, reasoning, notes, a quantity.

const questions = [
  ['What is 3 + 4?', 'sums', '7'],
  ['What is 12 + 30?', 'sums', '42'],
  ['What is 8 + 8?', 'sums', '16'],
  ['What is 90 + 9?', 'sums', '99'],
  ['What is 6 * 7?', 'products', '42'],
  ['What is 9 * 9?', 'products', '81'],
  ['What is 5 * 5?', 'products', '25'],
  ['How many legs has a spider?', 'facts', '8'],
  ['How many sides has a triangle?', 'facts', '3'],
  ['How many days has a leap year?', 'facts', '366'],
] as const

const config = (asks: string) => `
models:
  - { abbr: small, type: openai, path: small, format: chatml, max_out_len: 64 }
  - { abbr: large, type: openai, path: large, format: chatml, max_out_len: 64 }
datasets:
  - abbr: numbers
    path: numbers.jsonl
    by: [category]
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg:
      prompt_template: { template: { round: [{ role: HUMAN, prompt: "${asks}" }] } }
    eval_cfg: { pred_postprocessor: { type: final_number }, evaluator: { type: AccEvaluator } }
  - abbr: poems
    rows: [{ topic: rain }, { topic: snow }, { topic: fog }]
    reader_cfg: { input_columns: [topic] }
    infer_cfg: { prompt_template: { template: { round: [{ role: HUMAN, prompt: "A poem about {topic}." }] } } }
    eval_cfg:
      evaluator:
        type: GenericLLMEvaluator
        judge_cfg: { type: openai, path: judge, format: chatml }
        dict_postprocessor: { type: last_verdict }
        prompt_template: { template: { round: [{ role: HUMAN, prompt: "Is this a poem? {prediction}" }] } }
  - abbr: texts
    rows: [{ text: It rains in the north. }, { text: Colourless green ideas sleep. }]
    reader_cfg: { input_columns: [text] }
    infer_cfg:
      prompt_template: { template: "{text}" }
      inferencer: { type: PPLOnlyInferencer }
    eval_cfg: { evaluator: { type: AveragePPLEvaluator } }
  - abbr: chats
    rows:
      - dialogue:
          - { role: user, content: "Say one." }
          - { role: assistant, content: one }
          - { role: user, content: "Say two." }
    reader_cfg: { input_columns: [dialogue] }
    infer_cfg:
      prompt_template: { template: "" }
      inferencer: { type: ChatInferencer, infer_mode: every }
summarizer:
  summary_groups:
    - { name: all answers, subsets: [numbers, poems] }
`

/** The replies of the models. */
export function said(model: string, text: string, isSecond: boolean): { text: string; reasoning?: string; finish?: 'stop' | 'length' } {
  if (model === 'judge') return { text: text.includes('snow') ? 'I cannot tell.' : text.includes('rain') ? 'A' : 'B' }
  const row = questions.find(([question]) => text.includes(question))
  if (!row) return { text: text.includes('Say two') ? 'two' : text.includes('Say one') ? 'one' : poem(text) }
  const [question, category, answer] = row
  if (question.includes('8 + 8'))
    throw new PromptError('refused', { where: model, problem: 'the server does not take this question', fix: 'ask another' })
  if (question.includes('leap'))
    return { text: model === 'small' ? 'I will not count days.' : '**366**, of which\n\n- 31 in January\n- 29 in February' }
  if (question.includes('5 * 5') && !isSecond) return { text: 'Let me think about it step by', finish: 'length' }
  const isRight = model === 'large' || category === 'sums' || isSecond
  const number = isRight ? answer : String(Number(answer) + 1)
  if (category === 'facts') return { text: `{"legs": ${number}, "why": "I counted"}`, reasoning: 'I look at one and count.' }
  return { text: category === 'products' ? `The product is $\\frac{${number}}{1} = ${number}$.` : `The answer is ${number}.` }
}

function poem(text: string): string {
  const topic = /about (\w+)/.exec(text)?.[1] ?? 'nothing'
  return `# ${topic}\n\nThe *${topic}* is falling,\n\`softly\` on the roof.`
}

/**
 * Makes runs below a folder; all but the first use another wording, with which `small` knows its products and facts. The run `formats` uses
 * several formats, with one of which it often gets numbers wrong.
 */
export async function makeRuns(folder: string, names: readonly string[] = ['first', 'second']): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'numbers.jsonl'),
    questions.map(([question, category, answer]) => `${JSON.stringify({ question, category, answer })}\n`).join(''),
  )
  const made: string[] = []
  for (const name of names) {
    const isFirst = name === 'first'
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, config(isFirst ? '{question}' : '{question} Answer with a number.'))
    const { folder: run } = await runEvaluation(await loadConfig(file), {
      name,
      workDir: join(folder, 'outputs', name),
      cache: false,
      prompts: !isFirst,
      ...(name === 'formats' ? { models: 'small', datasets: 'numbers,texts', formats: 'chatml,plain,internlm2' } : {}),
      environment: { ...nodeEnvironment(folder), openModel: openModel(name) },
    })
    made.push(run)
  }
  return made
}

function openModel(run: string): RunEnvironment['openModel'] {
  const isSecond = run !== 'first'
  return async ({ path = '' }) => ({
    name: path,
    async generate(prompt) {
      const text = sentText(prompt)
      const isMisread = run === 'formats' && !text.includes('<|im_start|>')
      const { finish = 'stop', ...reply } = said(path, text, isSecond && !isMisread)
      return {
        ...reply,
        finish,
        tokens: { prompt: Math.ceil(text.length / 4), reused: 0, reply: Math.ceil(reply.text.length / 4) },
        notes: [],
      }
    },
    async score(prompts) {
      return prompts.map((prompt) => {
        const words = sentText(prompt).split(/(?<= )/)
        let at = 0
        const tokens = words.map((word, id) => {
          const span: [number, number] = [at, at + word.length]
          at += word.length
          return { id, text: word, span, pieces: [0, 0] as const, kind: 'text' as const }
        })
        const surprise = isSecond ? 2 : 1.5
        return {
          tokens: tokens as never,
          logProbabilities: words.map((_, place) => (place === 0 ? null : -surprise)),
          reused: 0,
          notes: [],
        }
      })
    },
  })
}
