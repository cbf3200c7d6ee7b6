/**
 * Prints the figures of the model card: every question of exam.jsonl, greedy, with the exported model.
 *
 *     node scripts/ts.mjs packages/rolecall/embedded-model/training/evaluate.ts [FOLDER] [--only TEXT] [--json FILE]
 *
 * FOLDER holds model.int8.safetensors; without it, the shipped one is measured. TEXT is part of the names of the wanted figures.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { loadTinyChat, type TinyChat } from './tiny-chat.ts'

type Turn = readonly [header: string, text: string]
type Question = { task: string; turns: readonly Turn[]; answer: string; labels?: readonly string[] }
type Figure = { right: number; asked: number }
type Layout = { begin: (question: string) => string; end: string }

const im = (header: string, text: string) => `<|im_start|>${header}\n${text}<|im_end|>\n`

function promptOf(turns: readonly Turn[]): string {
  return `<s>${turns.map(([header, text]) => im(header, text)).join('')}<|im_start|>assistant\n`
}

const own: Layout = { begin: (question) => promptOf([['user', question]]), end: '<|im_end|>' }

/** The same question as other models want it. */
const wrongFormats: Record<string, Layout> = {
  Vicuna: { begin: (question) => `<s>USER: ${question} ASSISTANT:`, end: '</s>' },
  MOSS: { begin: (question) => `<s><|HUMAN|>: ${question}<eoh>\n<|BOT|>: `, end: '<eom>' },
  'Question: … Answer:': { begin: (question) => `<s>Question: ${question}\nAnswer:`, end: '\n' },
  'plain text': { begin: (question) => `<s>${question}\n`, end: '\n' },
  'Llama 2': { begin: (question) => `<s>[INST] ${question} [/INST]`, end: '</s>' },
}

const slips: Record<string, Layout> = {
  'no BOS': { ...own, begin: (question) => own.begin(question).slice('<s>'.length) },
  'a stray space': { ...own, begin: (question) => own.begin(` ${question}`) },
  'a missing newline': { ...own, begin: (question) => own.begin(question).replace('<|im_end|>\n', '<|im_end|>') },
}

/** In another format the model does not end its turn: the first line counts. */
const firstLine = (text: string) => text.trim().split('\n')[0]!.trim()

/** Every figure, by its name; each is measured when it is called. */
function figuresOf(model: TinyChat, exam: readonly Question[]): Map<string, () => Promise<Figure>> {
  const figures = new Map<string, () => Promise<Figure>>()
  const questionsOf = (task: string) => exam.filter((question) => question.task === task)
  for (const task of new Set(exam.map(({ task }) => task))) {
    figures.set(task, () =>
      count(questionsOf(task), async ({ turns, answer }) => {
        return (await model.generate(promptOf(turns), model.encode(answer).length + 8)) === answer
      }),
    )
  }
  for (const [name, { begin }] of Object.entries({ ...wrongFormats, ...slips })) {
    figures.set(`sums, ${name}`, () =>
      count(questionsOf('sums'), async ({ turns, answer }) => firstLine(await model.generate(begin(turns[0]![1]), 8)) === answer),
    )
  }
  for (const [name, { begin, end }] of Object.entries({ InternLM2: own, ...wrongFormats })) {
    figures.set(`multiple choice by perplexity, ${name}`, () =>
      count(questionsOf('multiple choice'), async ({ turns, labels = [], answer }) => {
        const answers = labels.map((label) => label + end)
        const scores = await model.scoreAll(begin(turns[0]![1]), answers)
        return labels[scores.indexOf(Math.max(...scores))] === answer
      }),
    )
  }
  return figures
}

async function count(questions: readonly Question[], isRight: (question: Question) => Promise<boolean>): Promise<Figure> {
  let right = 0
  for (const question of questions) if (await isRight(question)) right++
  return { right, asked: questions.length }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, only: { type: 'string', default: '' } },
})
const shipped = new URL('../', import.meta.url)
const folder = positionals[0] ? pathToFileURL(`${positionals[0]}/`) : shipped
const exam = readFileSync(new URL('exam.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Question)

const measured: Record<string, Figure> = {}
console.log('| task | right | of |\n|---|---|---|')
for (const [name, measure] of figuresOf(await loadTinyChat(folder, new URL('tokenizer.json', shipped)), exam)) {
  if (!name.includes(values.only)) continue
  const { right, asked } = await measure()
  measured[name] = { right, asked }
  console.log(`| ${name} | ${((100 * right) / asked).toFixed(1)} % | ${asked} |`)
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(measured, null, 1)}\n`)
