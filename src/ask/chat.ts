import { countRounds, listsOfRounds } from '../adapt/rounds-of-row.ts'
import type { DatasetConfig } from '../config/config-schema.ts'
import { type Conversation, isTurn, type Turn } from '../conversation/conversation.ts'
import type { Row } from '../dataset/row.ts'
import type { Prompt } from '../format/format.ts'
import type { Reply } from '../model/language-model.ts'
import { PromptError } from '../prompt-error.ts'
import { dictGet, type PyValue } from '../python/index.ts'
import { plain } from '../text/index.ts'
import { fitPrompts } from './fit-prompts.ts'
import { generate } from './generate.ts'
import type { InferContext, Inferencer, Inferred, PlanContext, RowQuestion } from './inferencer.ts'

/**
 * ChatInferencer: the template or the row is a chat, written message by message. With `infer_mode` `last` (the default) the
 * model gives the last answer; with `every` each of its turns, going on from its own words; with `every_with_gt` each, going
 * on from the words that are written there. The answer is then the list of what it said.
 */
export const chat: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  prompts: (context, question) => promptsOf(context, question),
  gold: (dataset, row) => goldOf(dataset, row),
  infer: (context, question) => (modeOf(context) === 'last' ? generate.infer(context, question) : inferEvery(context, question)),
}

type Mode = 'last' | 'every' | 'every_with_gt'

/** The last of the right answers where a row has one for each round and only the last is asked. */
function goldOf({ reader_cfg: reader = {}, infer_cfg: { inferencer } }: DatasetConfig, row: Row): PyValue | undefined {
  const { input_columns: columns = [], output_column: column } = reader
  if (!column) return undefined
  const lists = (inferencer?.infer_mode ?? 'last') === 'last' ? listsOfRounds(row, [columns].flat(), column) : undefined
  return lists ? lists.get(column)?.[countRounds(lists) - 1] : dictGet(row, column)
}

/** Every prompt as if the model had said what is written. */
function promptsOf(context: PlanContext, question: RowQuestion): Prompt[] {
  if (modeOf(context) === 'last') return generate.prompts(context, question)
  const { conversation, turns } = chatOf(context, question)
  return placesOf(turns).map((place) => promptAt(context, conversation, turns.slice(0, place)))
}

async function inferEvery(context: InferContext, question: RowQuestion): Promise<Inferred> {
  const { model, generation, signal } = context
  const fitted = fitPrompts(context, question, (asked) => promptsOf(context, asked))
  const examples = question.examples.slice(0, question.examples.length - fitted.dropped)
  const { conversation, turns } = chatOf(context, { ...question, examples })
  const said = [...turns]
  const prompts: Prompt[] = []
  const replies: Reply[] = []
  for (const place of placesOf(turns)) {
    const prompt = promptAt(context, conversation, (modeOf(context) === 'every' ? said : turns).slice(0, place))
    const reply = await model.generate(prompt, { ...generation, ...(signal ? { signal } : {}) })
    prompts.push(prompt)
    replies.push(reply)
    if (reply.finish === 'aborted') break
    if (place < turns.length) said[place] = replied(turns[place]!, reply.text)
  }
  const sum = (key: keyof Reply['tokens']) => replies.reduce((total, { tokens }) => total + tokens[key], 0)
  return {
    prediction: replies.map(({ text }) => text),
    prompts,
    finish: (['aborted', 'length'] as const).find((end) => replies.some(({ finish }) => finish === end)) ?? 'stop',
    tokens: { prompt: sum('prompt'), reused: sum('reused'), reply: sum('reply') },
    examples: { used: fitted.kept, dropped: fitted.dropped },
    notes: [...prompts.flatMap(({ notes }) => notes), ...fitted.notes, ...replies.flatMap(({ notes }) => notes)],
  }
}

function chatOf({ maker }: PlanContext, { row, examples }: RowQuestion): { conversation: Conversation; turns: readonly Turn[] } {
  const { conversation } = maker.render({ row, examples, mode: 'gen' })
  if (conversation.kind === 'text') throw new Error('a chat has turns')
  return { conversation, turns: conversation.sections.flatMap(({ items }) => items.filter(isTurn)) }
}

/** Where the model speaks: at each of its turns that are asked, and at the end. The turns of examples were said. */
function placesOf(turns: readonly Turn[]): number[] {
  const isAsked = ({ role, content = [] }: Turn) => role === 'assistant' && content.every(({ source }) => source.example === undefined)
  return [...turns.flatMap((turn, place) => (isAsked(turn) ? [place] : [])), turns.length]
}

function promptAt({ maker }: PlanContext, conversation: Conversation, turns: readonly Turn[]): Prompt {
  return maker.format.render({ ...conversation, kind: 'dialogue', sections: [{ kind: 'chat', items: turns }] }, { want: 'generate' })
}

/** What the model said takes the place of what is written, whatever else the message carried. */
function replied({ role, path }: Turn, text: string): Turn {
  return { role, path, content: [plain(text, { by: 'model', path })] }
}

function modeOf({ dataset, where, samples }: PlanContext): Mode {
  const mode = dataset.infer_cfg.inferencer?.infer_mode ?? 'last'
  if (mode === 'last' || samples === 1) return mode
  throw new PromptError('samples-of-chats', {
    where: `${where} › n`,
    problem: `each row is to have ${samples} answers, and with infer_mode ${mode} an answer is a list already`,
    fix: 'leave n out, or use infer_mode: last',
  })
}
