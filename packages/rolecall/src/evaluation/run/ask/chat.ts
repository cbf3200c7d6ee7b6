import type { Row } from '@rolecall/core/internal/conversation'
import { type Conversation, countRounds, isTurn, listsOfRounds, type Turn } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, type PyValue } from '@rolecall/core/internal/python'
import { isText, plain, textOf } from '@rolecall/core/internal/text'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { generate } from './generate.ts'
import { generated, type Inferencer, type RequestGenerator, type RequestPlan, type RequestPrompt, type RowQuestion } from './inferencer.ts'
import { readTurnWithCalls } from './turn-with-calls.ts'

/**
 * ChatInferencer: the template or the row is a chat, rendered message by message. With `infer_mode` `last` (the default) the
 * model gives the last answer; with `every` each of its turns, continuing from its own replies; with `every_with_gt` each, continuing
 * from the reference text. The prediction is then the list of replies. `multiround` of GenInferencer is `every`, but an answer that has
 * a text stays and is part of the prediction.
 */
export const chat: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  readsChats: true,
  check: refuseSamples,
  gold: (dataset, row) => goldOf(dataset, row),
  ask(plan, question) {
    const mode = modeOf(plan.dataset)
    if (mode === 'last') return generate.ask(plan, question)
    return mode === 'every_with_gt' ? askEveryWithTruth(plan, question) : askEvery(plan, question, mode)
  },
}

/** The reference answer of the last round if a row has one per round and only the last is requested. */
function goldOf(dataset: DatasetConfig, row: Row): PyValue | undefined {
  const { input_columns: columns = [], output_column: column } = dataset.reader_cfg ?? {}
  if (!column) return undefined
  const lists = modeOf(dataset) === 'last' ? listsOfRounds(row, [columns].flat(), column) : undefined
  return lists ? lists.get(column)?.[countRounds(lists) - 1] : dictGet(row, column)
}

/** Each turn after the model's own replies. */
function* askEvery(plan: RequestPlan, question: RowQuestion, mode: 'every' | 'empty'): RequestGenerator {
  const { conversation, turns } = chatOf(plan, question)
  const said = [...turns]
  const texts: string[] = []
  for (const [index, place] of placesOf(turns).entries()) {
    const written = turns[place]
    const standIn = written && textOf((written.content ?? []).filter(isText))
    if (mode === 'empty' && standIn) {
      texts.push(standIn)
      continue
    }
    const asked = promptAt(plan, conversation, said.slice(0, place), index + 1)
    const { replies, isStandIn } = yield* generated({ kind: 'generate', prompts: [asked], samples: 1, standIn })
    const reply = replies[0]!
    texts.push(reply.text)
    if (!written) continue
    if (isStandIn) said[place] = plan.readsCalls ? written : asWritten(written)
    else if (!plan.readsCalls) said[place] = replied(written, reply.text)
    else {
      const taken = readTurnWithCalls(
        plan,
        { row: question.row, prompt: asked.prompt, written, results: resultsAfter(turns, place) },
        reply,
      )
      if ('problem' in taken) return { prediction: texts, notes: [endedNote(index + 1, taken.problem)] }
      said[place] = taken.turn
    }
  }
  return { prediction: texts }
}

/** The tool results that directly follow a turn. */
function resultsAfter(turns: readonly Turn[], place: number): readonly Turn[] {
  const end = turns.findIndex(({ role }, index) => index > place && role !== 'tool' && role !== 'function' && role !== 'environment')
  return turns.slice(place + 1, end < 0 ? turns.length : end)
}

function endedNote(round: number, problem: string): Note {
  return { code: 'script-ended', text: `the conversation ended with round ${round}: ${problem}` }
}

/** Each turn after the reference text: all can be sent concurrently. */
function* askEveryWithTruth(plan: RequestPlan, question: RowQuestion): RequestGenerator {
  const { conversation, turns } = chatOf(plan, question)
  const asked = placesOf(turns).map((place, index) => promptAt(plan, conversation, turns.slice(0, place), index + 1))
  const { replies } = yield* generated({ kind: 'generate', prompts: asked, samples: 1 })
  return { prediction: replies.map(({ text }) => text) }
}

function chatOf({ maker }: RequestPlan, { row, examples }: RowQuestion): { conversation: Conversation; turns: readonly Turn[] } {
  const { conversation } = maker.render({ row, examples, mode: 'gen' })
  if (conversation.kind === 'text') throw new Error('a chat has turns')
  return { conversation, turns: conversation.sections.flatMap(({ items }) => items.filter(isTurn)) }
}

/** The indices of the turns to generate, and the end; not those of examples. */
function placesOf(turns: readonly Turn[]): number[] {
  const isAsked = ({ role, content = [] }: Turn) => role === 'assistant' && content.every(({ source }) => source.example === undefined)
  return [...turns.flatMap((turn, place) => (isAsked(turn) ? [place] : [])), turns.length]
}

function promptAt({ maker }: RequestPlan, whole: Conversation, turns: readonly Turn[], round: number): RequestPrompt {
  const conversation: Conversation = { ...whole, kind: 'dialogue', sections: [{ kind: 'chat', items: turns }] }
  return { prompt: maker.format.render(conversation, { want: 'generate' }), conversation, round }
}

/** The model's reply replaces the reference message, including any other content. */
function replied({ role, path }: Turn, text: string): Turn {
  return { role, path, content: [plain(text, { by: 'model', path })] }
}

/** The same for a stand-in, which keeps its provenance. */
function asWritten({ role, path, content = [] }: Turn): Turn {
  return { role, path, content: content.filter(isText).map(({ text, source }) => plain(text, source)) }
}

function modeOf({ infer_cfg: { inferencer } }: DatasetConfig): 'last' | 'every' | 'every_with_gt' | 'empty' {
  return inferencer?.multiround ? 'empty' : (inferencer?.infer_mode ?? 'last')
}

function refuseSamples({ dataset, where, samples }: RequestPlan): void {
  const mode = modeOf(dataset)
  if (mode === 'last' || samples === 1) return
  throw new PromptError('samples-of-chats', {
    where: `${where} › n`,
    problem: `n asks for ${samples} answers per row, but with ${mode === 'empty' ? 'multiround' : `infer_mode ${mode}`} an answer is a list already`,
    fix: 'leave n out, or use infer_mode: last',
  })
}
