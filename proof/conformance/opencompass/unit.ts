import type { Quirks } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { dictEntries, dictGet, type PyDict, type PyValue, pyStr } from '../../../packages/core/src/base/python/index.ts'
import { isLoose } from '../../../packages/core/src/prompt/conversation/conversation.ts'
import { examplesOf } from '../../../packages/core/src/prompt/conversation/examples-of.ts'
import { fillText, readText } from '../../../packages/core/src/prompt/conversation/fill.ts'
import type { Fields } from '../../../packages/core/src/prompt/conversation/row.ts'
import { adaptTurn } from '../../../packages/core/src/prompt/format/adapt/adapt-turn.ts'
import { splitRounds } from '../../../packages/core/src/prompt/format/adapt/rounds.ts'
import type { Traits } from '../../../packages/core/src/prompt/format/adapt/traits.ts'
import { readMetaTemplate } from '../../../packages/core/src/prompt/format/meta/read-meta-template.ts'
import { promptHash } from '../../../packages/rolecall/src/compat/opencompass/import/prompt-hash.ts'
import { countWords, type Row } from '../../../packages/rolecall/src/datasets.ts'
import { pickPlaces } from '../../../packages/rolecall/src/evaluation/dataset/pick-places.ts'
import type { Choose } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/retriever.ts'
import { retrieverOf } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/retrievers.ts'
import { slidingWindow } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/sliding-window.ts'
import { rangeIndexes, readRange } from '../../../packages/rolecall/src/evaluation/dataset/row-range.ts'
import { textOf } from '../../../packages/rolecall/src/formats.ts'
import type { OpenCompassRuleName } from '../rules/opencompass.ts'
import { chatOperations } from './chat.ts'
import type { Subject } from './judge.ts'
import { expectedMessages } from './plain-value.ts'
import { fillOnce } from './promised-dialogue.ts'
import { writePrompt } from './promised-prompt.ts'
import { NotWritten } from './promised-words.ts'
import { isMarker, type PromptListItem, readPromptList } from './prompt-list.ts'
import { rulesOf } from './rules.ts'
import { type Addend, asItems, asPipeline, itemText, mapText, type ParseArgs, parse, partsOf, replaceInList } from './unit-prompt-lists.ts'
import { asked, comparePerplexities, type PerplexityArgs, promisedFit, promisedRun, type TruncateArgs, truncate } from './unit-runs.ts'
import type { PipelineVector, TurnJson } from './vector.ts'

export type UnitVector = { id: string; op: string; args: unknown; expected?: unknown; error?: string }

/** A single operation of the reference. Undefined if Rolecall has no equivalent. */
export function unitSubject(vector: UnitVector): Subject | undefined {
  const operation = operations[vector.op]
  if (!operation) return undefined
  const { produce, rules = [], expected = vector.expected, promised = nothing } = operation(vector.args as never, vector)
  return { expected: 'expected' in vector ? { value: expected } : undefined, produce, rules, promised }
}

type Operation = (
  args: never,
  vector: UnitVector,
) => { produce: (quirks: Quirks) => unknown; rules?: readonly OpenCompassRuleName[]; expected?: unknown; promised?: () => unknown }

/** For operations that no rule is about. */
function nothing(): never {
  throw new NotWritten('no document promises anything')
}

const operations: Record<string, Operation> = {
  ...chatOperations,
  safe_format: ([text, entry]: [string, PyDict]) => ({
    produce: (quirks) => fill(text, entry, quirks),
    rules: formatRules([text], entry),
    promised: () => fillOnce(text, entry),
  }),
  'promptlist.format': ([list, entry]: [PromptListItem[], PyDict]) => ({
    produce: (quirks) => list.map((item) => mapText(item, (text) => fill(text, entry, quirks))),
    rules: formatRules(
      list.flatMap((item) => (typeof item === 'string' ? [item] : isMarker(item) ? [] : [item.prompt ?? ''])),
      entry,
    ),
    promised: () => list.map((item) => mapText(item, (text) => fillOnce(text, entry))),
  }),
  'promptlist.replace': ([list, token, by]: [PromptListItem[], string, string | { promptList: PromptListItem[] }]) => ({
    produce: () => replaceInList(list, token, by),
  }),
  'promptlist.add': ([left, right]: [PromptListItem[], Addend]) => ({ produce: () => [...left, ...asItems(right)] }),
  'promptlist.iadd': ([left, right]: [PromptListItem[], Addend]) => ({ produce: () => [...left, ...asItems(right)] }),
  'promptlist.radd': ([left, right]: [Addend, PromptListItem[]]) => ({ produce: () => [...asItems(left), ...right] }),
  prompt_hash: ([dataset]: [PyDict]) => ({ produce: () => promptHash(dataset) }),
  'promptlist.str': ([list]: [unknown[]]) => ({ produce: () => list.map(itemText).join('') }),
  parse: (args: ParseArgs, { expected }) => ({
    produce: (quirks) => parse(args, quirks),
    rules: rulesOf(asPipeline(args)),
    promised: () => writePrompt({ parts: partsOf(args) }, args),
    ...(args.model === 'api' ? { expected: expectedMessages(expected) } : {}),
  }),
  split_rounds: ({ dialogue, round, model }: { dialogue: TurnJson[]; round: TurnJson[]; model: 'lm' | 'api' }) => ({
    produce: (quirks) => roundStarts(dialogue, round, model, quirks),
    rules: rulesOf(
      asPipeline({
        promptList: [{ section: 'round', pos: 'begin' }, ...dialogue, { section: 'round', pos: 'end' }],
        metaTemplate: { round },
        model,
        mode: 'gen',
      }),
    ),
    promised: () => promisedStarts(dialogue, round),
  }),
  api_token_len: ([text]: [string]) => ({ produce: () => countWords(text) }),
  load_partial_dataset: ({ total, size }: { total: number; size: string | number | null }) => ({
    produce: () => rangeIndexes(readRange(size, 'test_range'), total),
  }),
  fixk_retrieve: ({ train, test, fixIdList }: { train: number; test: number; fixIdList: number[] }, { expected }) => {
    const rows = Array.from({ length: train }, (_, id): Row => ({ id }))
    const fromStart = (ids: number[]) => ids.map((id) => (id < 0 ? id + train : id))
    return {
      produce() {
        const picking = pickPlaces<Row>(fixIdList)
        for (const row of rows) if (!picking.look(row)) break
        const found = picking.found()
        const retriever = { type: 'FixKRetriever', fix_id_list: fixIdList }
        return Array.from({ length: test }, () =>
          examplesOf({ infer_cfg: { retriever } }, (id) => found.get(id)).map((row) => dictGet(row, 'id')),
        )
      },
      // Python's -1 is the last row.
      ...(expected === undefined ? {} : { expected: (expected as number[][]).map(fromStart) }),
    }
  },
  sliding_window_retrieve: ({ train, test, k }: Record<'train' | 'test' | 'k', number>) => ({
    produce: () => Array.from({ length: test }, (_, number) => slidingWindow(number, k, train)),
  }),
  random_retrieve: ({ train, test, iceNum, seed }: Record<'train' | 'test' | 'iceNum' | 'seed', number>) => ({
    produce() {
      const texts = new Array<string>(train).fill('')
      const opened = retrieverOf('RandomRetriever', 'retriever').open({ texts, where: 'retriever' }, { ice_num: iceNum, seed }) as Choose
      return Array.from({ length: test }, (_, number) => opened.choose({ text: '', number, spare: 0 }))
    },
  }),
  ppl_run: (args: PerplexityArgs, { expected, id }) => {
    const run = { id, comparesLabels: true } as const
    const vectors = args.test.flatMap((entry) =>
      ['A', 'B'].map((label): PipelineVector => ({ ...args, ...run, mode: 'ppl', label, entry, iceEntries: args.train })),
    )
    return {
      produce: (quirks) => comparePerplexities(args, quirks),
      rules: [...new Set(vectors.flatMap(rulesOf))],
      promised: () => promisedRun(args, (entry, label, iceEntries) => ({ ...args, ...run, mode: 'ppl', label, entry, iceEntries })),
      expected: asked(expected),
    }
  },
  gen_truncate: (args: TruncateArgs, { expected, id }) => {
    const { prompts, ...rest } = expected as { prompts: unknown[] }
    const asked = (entry: Row, iceEntries: Row[]): PipelineVector => ({ ...args, id, mode: 'gen', entry, iceEntries })
    return {
      produce: (quirks) => truncate(args, quirks),
      rules: [...new Set(args.test.flatMap((entry) => rulesOf(asked(entry, args.train))))],
      promised: () => promisedFit(args, asked),
      ...(args.model === 'api' ? { expected: { prompts: prompts.map(expectedMessages), ...rest } } : {}),
    }
  },
}

/** A new round starts where a role, or the role it falls back to, does not come after the one before it. */
function promisedStarts(dialogue: readonly TurnJson[], round: readonly TurnJson[]): number[] {
  const placeOf = (turn: TurnJson) => {
    const own = round.findIndex(({ role }) => role === turn.role)
    return own >= 0 ? own : round.findIndex(({ role }) => role === turn.fallback_role)
  }
  // A turn that falls back to the role that speaks next is written before it, in no round.
  const isBeside = (turn: TurnJson, index: number) => {
    const next = dialogue[index + 1]
    return !round.some(({ role }) => role === turn.role) && next !== undefined && placeOf(next) === placeOf(turn)
  }
  const turns = dialogue.filter((turn, index) => !isBeside(turn, index))
  const starts = [0]
  for (const [index, turn] of turns.entries()) if (index > 0 && placeOf(turn) <= placeOf(turns[index - 1]!)) starts.push(index)
  return [...starts, turns.length]
}

function fill(text: string, row: PyDict, quirks: Quirks): string {
  const fields: Fields = { row }
  return textOf(fillText(readText(text, 'text', {}, { control: false }), { fields, quirks }))
}

function formatRules(texts: string[], entry: PyDict): OpenCompassRuleName[] {
  const values = dictEntries(entry).map(([, value]) => pyStr(value as PyValue))
  const nested = texts.some((text) => dictEntries(entry).some(([name]) => text.includes(`{{${name}}`) || text.includes(`{${name}}}`)))
  return nested || values.some((value) => /[{}]/.test(value)) ? ['data-reexpanded'] : []
}

function roundStarts(dialogue: readonly TurnJson[], round: readonly TurnJson[], model: 'lm' | 'api', quirks: Quirks): number[] {
  const meta = readMetaTemplate({ round }, { where: 'meta_template', quirks, api: model === 'api' })
  const read = readPromptList([{ section: 'round', pos: 'begin' }, ...dialogue, { section: 'round', pos: 'end' }], true)
  if (read.kind === 'text') throw new Error('not a text')
  const traits: Traits = { formatName: 'the round', roles: [...meta.roles.keys()], looseText: 'verbatim', readsContent: false }
  const items = read.sections[0]!.items.map((item) => (isLoose(item) ? item : adaptTurn(item, traits, [], false)))
  const rounds = { order: meta.round ?? [], isWhole: true, countsFallbacks: model === 'api' } as const
  const starts = [0]
  for (const { turns } of splitRounds(items, rounds, quirks)) starts.push(starts.at(-1)! + turns.size)
  return starts
}
