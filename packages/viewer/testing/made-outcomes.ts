import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Note } from '../../core/src/base/errors/note.ts'
import { PromptError } from '../../core/src/base/errors/prompt-error.ts'
import { sentText } from '../../rolecall/src/evaluation/run/ask/request-text.ts'
import { loadConfig } from '../../rolecall/src/node/config/load-config.ts'
import { nodeEnvironment } from '../../rolecall/src/node/runs/node-environment.ts'
import { runEvaluation } from '../../rolecall/src/node/runs/run-evaluation.ts'

type Said = { text: string; finish?: 'length'; notes?: readonly Note[] }

/** What the model says to each question; with several answers, the next ones in turn. */
const replies: Readonly<Record<string, readonly Said[]>> = {
  right: [{ text: 'The answer is 1.', notes: [{ code: 'context-full', text: 'an odd reply' }] }],
  wrong: [{ text: 'The answer is 2.' }, { text: 'The answer is 1.' }],
  vague: [{ text: 'Hard to say.' }, { text: 'The answer is 1.' }],
  vaguer: [{ text: 'Who knows?', notes: [{ code: 'context-full', text: 'a very odd reply' }] }],
  long: [{ text: 'Let me think step by', finish: 'length' }, { text: 'The answer is 1.' }],
  'long enough': [{ text: 'The answer is 1. And', finish: 'length' }],
  refuses: [{ text: 'I cannot help with that.' }],
  silent: [{ text: '' }],
  calls: [{ text: '', notes: [{ code: 'tool-call', text: 'the reply is a tool call' }] }],
}

const dataset = (abbr: string, extra: string) => `
  - abbr: ${abbr}
    ${extra}
    rows:
${[...Object.keys(replies), 'breaks'].map((ask, row) => `      - { ask: ${ask}, kind: ${row % 2 === 0 ? 'even' : 'odd'}, gold: "1" }`).join('\n')}
      - { ask: right, kind: odd, gold: null }
    by: [kind]
    reader_cfg: { input_columns: [ask], output_column: gold }
    infer_cfg: { prompt_template: { template: "{ask}" } }
    eval_cfg: { pred_postprocessor: { type: final_number }, evaluator: { type: AccEvaluator } }`

const config = `
models:
  - { abbr: tiny, type: openai, path: tiny, format: chatml, temperature: 1, max_out_len: 8 }
datasets:${dataset('once', '')}${dataset('twice', 'n: 2')}
  - abbr: calls
    rows: [{ ask: right, city: [] }, { ask: wrong, city: [{ name: look, arguments: {} }] }, { ask: vague, city: [{ name: look, arguments: {} }] }]
    by: [ask]
    reader_cfg: { input_columns: [ask], output_column: city }
    infer_cfg: { prompt_template: { template: "{ask}" } }
    eval_cfg: { evaluator: { type: ToolCallEvaluator } }
  - abbr: judged
    rows: [{ ask: right }, { ask: wrong }, { ask: vaguer }]
    reader_cfg: { input_columns: [ask] }
    infer_cfg: { prompt_template: { template: "{ask}" } }
    eval_cfg:
      evaluator:
        type: GenericLLMEvaluator
        judge_cfg: { type: openai, path: judge, format: chatml }
        dict_postprocessor: { type: last_verdict }
        prompt_template: { template: { round: [{ role: HUMAN, prompt: "Judge: {prediction}" }] } }
`

/** Makes a run in which answers have every outcome, with one and with two answers for each row. */
export async function makeOutcomes(folder: string): Promise<string> {
  const file = join(folder, 'outcomes.yaml')
  writeFileSync(file, config)
  const asked = new Map<string, number>()
  const { folder: run } = await runEvaluation(await loadConfig(file), {
    name: 'outcomes',
    workDir: join(folder, 'outputs', 'outcomes'),
    cache: false,
    environment: {
      ...nodeEnvironment(folder),
      openModel: async ({ path = '' }) => ({
        name: path,
        async generate(prompt) {
          const text = sentText(prompt)
          const { finish = 'stop', notes = [], ...reply } = path === 'judge' ? judged(text) : said(text, asked)
          return { ...reply, finish, notes, tokens: { prompt: 4, reused: 0, reply: 2 } }
        },
      }),
    },
  })
  return run
}

function judged(text: string): Said {
  return { text: text.includes('Who') ? 'I cannot tell.' : text.includes('1') ? 'A' : 'B' }
}

function said(prompt: string, asked: Map<string, number>): Said {
  if (prompt.includes('breaks')) throw new PromptError('refused', { where: 'tiny', problem: 'the server broke', fix: 'ask again' })
  const name = Object.keys(replies)
    .filter((one) => prompt.includes(one))
    .sort((one, other) => other.length - one.length)[0]!
  const time = asked.get(name) ?? 0
  asked.set(name, time + 1)
  const all = replies[name]!
  return all[time % all.length]!
}
