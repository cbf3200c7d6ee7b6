import type { Quirks } from '../../src/base/fidelity/quirks.ts'
import { dictEntries, dictGet, type PyDict, type PyValue, pyStr } from '../../src/base/python/index.ts'
import { plain, replaceText } from '../../src/base/text/index.ts'
import { promptHash } from '../../src/compat/opencompass/import/prompt-hash.ts'
import { pickPlaces } from '../../src/evaluation/dataset/pick-places.ts'
import type { Choose } from '../../src/evaluation/dataset/retrieve/retriever.ts'
import { retrieverOf } from '../../src/evaluation/dataset/retrieve/retrievers.ts'
import { slidingWindow } from '../../src/evaluation/dataset/retrieve/sliding-window.ts'
import { rangeIndexes, readRange } from '../../src/evaluation/dataset/row-range.ts'
import { settingsOf } from '../../src/evaluation/run/ask/generation-settings.ts'
import type { RequestPlan } from '../../src/evaluation/run/ask/inferencer.ts'
import { inferencerOf } from '../../src/evaluation/run/ask/inferencers.ts'
import { planRequests } from '../../src/evaluation/run/ask/plan-requests.ts'
import { fitRow, startRow } from '../../src/evaluation/run/ask/start-row.ts'
import { countWords, fitExamples, type Prompt, PromptError, type Row, textOf } from '../../src/index.ts'
import type { ScoredPrompt } from '../../src/model/language-model/language-model.ts'
import { isLoose } from '../../src/prompt/conversation/conversation.ts'
import { examplesOf } from '../../src/prompt/conversation/examples-of.ts'
import { fillText, readText } from '../../src/prompt/conversation/fill.ts'
import type { Fields } from '../../src/prompt/conversation/row.ts'
import { adaptTurn } from '../../src/prompt/format/adapt/adapt-turn.ts'
import { splitRounds } from '../../src/prompt/format/adapt/rounds.ts'
import type { Traits } from '../../src/prompt/format/adapt/traits.ts'
import { compileFormat } from '../../src/prompt/format/compile-format.ts'
import { readMetaTemplate } from '../../src/prompt/format/meta/read-meta-template.ts'
import type { OpenCompassRuleName } from '../rules/opencompass.ts'
import { chatOperations } from './chat.ts'
import type { Subject } from './judge.ts'
import { configsOf, makerOf } from './pipeline.ts'
import { expectedMessages, plainValue } from './plain-value.ts'
import { fillOnce, NotWritten, type Part, promisedPrompt, type Spoken, spokenItem, writePrompt } from './promised-prompt.ts'
import { isMarker, type PromptListItem, readPromptList } from './prompt-list.ts'
import { rulesOf } from './rules.ts'
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

type PerplexityArgs = TruncateArgs & { normalizingStr: string | null; retriever: 'fix' | 'zero' }

/** The reference's predictions file, limited to prompts and outputs. */
function asked(expected: unknown): unknown {
  const rows = Object.entries(expected as Record<string, Record<string, unknown>>)
  return rows.map(([, row]) => {
    const labels = Object.entries(row).flatMap(([key, value]) => {
      const { prompt, PPL } = value as { prompt?: unknown; PPL?: unknown }
      return key.startsWith('label: ') ? [[key.slice(7), { prompt, perplexity: rounded(Number(PPL)) }]] : []
    })
    return { labels: Object.fromEntries(labels), prediction: row.prediction, gold: row.gold }
  })
}

/** A run of PPLInferencer with the vectors' model, where a text's likelihood depends only on its characters. */
function comparePerplexities(args: PerplexityArgs, quirks: Quirks): unknown {
  const { normalizingStr: normalizer } = args
  const { model, dataset } = configsOf(args)
  const name = { model: 'model', dataset: 'ppl_run' }
  const inferencer = { type: 'PPLInferencer', ...(normalizer === null ? {} : { normalizing_str: normalizer }) }
  const plan: RequestPlan = {
    ...planRequests(
      {
        maker: makerOf(args, quirks),
        dataset: { ...dataset, infer_cfg: { ...dataset.infer_cfg, inferencer } },
        model: args.maxSeqLen === null ? model : { ...model, max_seq_len: args.maxSeqLen },
        name,
        inferencer: inferencerOf('PPLInferencer', name.dataset),
        settings: settingsOf(model, dataset),
      },
      { isPreview: true },
    ),
    quirks,
    count: (prompt) => countWords(textOfPrompt(prompt)),
  }
  const examples = args.retriever === 'zero' ? [] : args.fixIdList.map((id) => args.train[id]!)
  return args.test.map((row) => {
    const { first, asking } = fitRow(plan, startRow(plan, { row, examples }))
    const { value } = asking.next({
      kind: 'score',
      scored: first.prompts.map(({ prompt }) => (normalizer === null ? whole : scored)(prompt)),
    })
    if (!value || !('prediction' in value)) throw new Error('PPLInferencer asks once')
    const labels = value.scores!.map(({ label, value: found }, index) => {
      return [label, { prompt: textOfPrompt(first.prompts[index]!.prompt), perplexity: rounded(found) }]
    })
    return { labels: Object.fromEntries(labels), prediction: value.prediction, gold: dictGet(row, args.outputColumn) }
  })
}

/** A scored prompt whose perplexity depends only on its text. */
function whole(prompt: Prompt): ScoredPrompt {
  return { tokens: [], logProbabilities: [null, -2 * ownPerplexity(textOfPrompt(prompt))], reused: 0, notes: [] }
}

function textOfPrompt(prompt: Prompt): string {
  return prompt.kind === 'chat' ? '' : textOf(prompt.pieces)
}

function ownPerplexity(text: string): number {
  return ([...text].reduce((sum, character) => sum + character.codePointAt(0)!, 0) % 997) / 997
}

/**
 * The vectors' model: the perplexity after n words is that of the whole text plus n. Tokens are separated by white space;
 * the likelihood of each follows from that.
 */
function scored(prompt: Prompt): ScoredPrompt {
  const text = textOfPrompt(prompt)
  const own = ownPerplexity(text)
  const found = [...text.matchAll(/\s*\S+(?:\s+$)?/g)]
  const spans = found.length === 0 ? [[0, text.length] as const] : found.map(({ 0: word, index }) => [index, index + word.length] as const)
  const count = spans.length
  const meanFrom = (token: number) => (token < count ? own + countWords(text.slice(0, spans[token]![0])) : 0)
  const logProbabilities = spans.map((_, token) => -((count - token) * meanFrom(token) - (count - token - 1) * meanFrom(token + 1)))
  const tokens = spans.map(([start, end]) => ({ id: 0, span: [start, end] as [number, number] }))
  return { tokens, logProbabilities, reused: 0, notes: [] } as unknown as ScoredPrompt
}

/** The vectors' metrics are sums of a few floats; their last digits depend on the order of addition. */
function rounded(value: number): number {
  return Number(value.toFixed(9))
}

/** The prompts of a run with as many examples as fit. */
function promisedFit({ test, train, fixIdList, maxSeqLen }: TruncateArgs, asked: (row: Row, examples: Row[]) => PipelineVector): unknown {
  const fitted = test.map((row) => {
    for (let kept = fixIdList.length; ; kept--) {
      const prompt = promisedPrompt(
        asked(
          row,
          fixIdList.slice(0, kept).map((id) => train[id]!),
        ),
      )
      const text = typeof prompt === 'string' ? prompt : (prompt as { content: string }[]).map(({ content }) => content).join('')
      if (maxSeqLen === null || kept === 0 || countWords(text) <= maxSeqLen) return { prompt, kept }
    }
  })
  return { prompts: fitted.map(({ prompt }) => prompt), iceCounts: fitted.map(({ kept }) => kept) }
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

/** A run of PPLInferencer with as many examples as fit with every label; what is sent is counted. */
function promisedRun(args: PerplexityArgs, asked: (row: Row, label: string, examples: Row[]) => PipelineVector): unknown {
  const { normalizingStr: normalizer, fixIdList, train, maxSeqLen } = args
  const all = args.retriever === 'zero' ? [] : fixIdList.map((id) => train[id]!)
  const labels = Object.keys((args.promptTemplate ?? args.iceTemplate)!.template as object)
  const separator = args.promptTemplate?.sep_token ?? ''
  return args.test.map((row) => {
    const promptsWith = (kept: number) => labels.map((label) => String(promisedPrompt(asked(row, label, all.slice(0, kept)))))
    const kept =
      all
        .map((_, dropped) => all.length - dropped)
        .find((count) => promptsWith(count).every((prompt) => maxSeqLen === null || countWords(prompt) <= maxSeqLen)) ?? 0
    const found = promptsWith(kept).map((prompt, index) => {
      if (normalizer === null) return { prompt, perplexity: rounded(ownPerplexity(prompt)) }
      const [context, answer] = String(promisedPrompt({ ...asked(row, labels[index]!, all.slice(0, kept)), remainSep: true })).split(
        separator,
      )
      const normalized = ownPerplexity(normalizer + answer) + countWords(normalizer)
      return { prompt, perplexity: rounded(ownPerplexity(prompt) + countWords(context!) - normalized) }
    })
    const best = found.reduce((least, one, index) => (one.perplexity < found[least]!.perplexity ? index : least), 0)
    return {
      labels: Object.fromEntries(labels.map((label, index) => [label, found[index]])),
      prediction: labels[best],
      gold: dictGet(row, args.outputColumn),
    }
  })
}

/** The reference's list of markers and items as parts of a dialogue; outside a section, and without a meta template, everything is beginning. */
function partsOf({ promptList, metaTemplate }: ParseArgs): Part[] {
  const hasMeta = typeof metaTemplate === 'object' && metaTemplate !== null && Object.keys(metaTemplate).length > 0
  const parts: Part[] = []
  const open: Part['kind'][] = []
  for (const item of promptList) {
    if (!isMarker(item)) {
      const kind = hasMeta ? (open.at(-1) ?? 'begin') : 'begin'
      const read: string | Spoken = typeof item === 'string' ? item : spokenItem(item)
      const last = parts.at(-1)
      if (last?.kind === kind && last.isOpen) last.items.push(read)
      else parts.push({ kind, items: [read], row: {}, isOpen: true })
    } else {
      for (const part of parts) part.isOpen = false
      if (item.pos === 'begin') {
        open.push(item.section === 'ice' ? 'example' : (item.section as Part['kind']))
        if (item.section === 'round' || item.section === 'ice') parts.push({ kind: open.at(-1)!, items: [], row: {}, isOpen: true })
      } else open.pop()
    }
  }
  return parts
}

type Addend = string | PromptListItem[]
type ParseArgs = { promptList: PromptListItem[]; metaTemplate: unknown; model: 'lm' | 'api'; mode: 'gen' | 'ppl' }
type TruncateArgs = Pick<PipelineVector, 'iceTemplate' | 'promptTemplate' | 'metaTemplate' | 'model' | 'iceSeparator' | 'iceEosToken'> & {
  train: Row[]
  test: Row[]
  fixIdList: number[]
  maxSeqLen: number | null
  outputColumn: string
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

function mapText(item: PromptListItem, change: (text: string) => string): PromptListItem {
  if (typeof item === 'string') return change(item)
  return isMarker(item) || item.prompt === undefined ? item : { ...item, prompt: change(item.prompt) }
}

function replaceInList(list: readonly PromptListItem[], token: string, by: string | { promptList: PromptListItem[] }): PromptListItem[] {
  const source = { by: 'template', path: 'list' } as const
  if (typeof by === 'string')
    return list.map((item) => mapText(item, (text) => textOf(replaceText([plain(text, source)], token, [plain(by, source)]))))
  return list.flatMap((item): PromptListItem[] => {
    if (typeof item !== 'string') {
      if (!isMarker(item) && item.prompt?.includes(token))
        throw new PromptError('dialogue-in-turn', {
          where: 'list',
          problem: 'turns cannot stand inside a turn',
          fix: 'give them an entry of their own',
        })
      return [item]
    }
    return item.split(token).flatMap((part, index) => [...(index > 0 ? by.promptList : []), ...(part === '' ? [] : [part])])
  })
}

function asItems(addend: Addend): PromptListItem[] {
  return typeof addend === 'string' ? (addend === '' ? [] : [addend]) : addend
}

function itemText(item: unknown): string {
  if (typeof item === 'string') return item
  if (typeof item === 'object' && item !== null) return (item as TurnJson).prompt ?? ''
  throw new PromptError('wrong-type', { where: 'list', problem: 'neither text nor a turn', fix: 'remove it' })
}

function parse({ promptList, metaTemplate, model, mode }: ParseArgs, quirks: Quirks): unknown {
  const format = compileFormat({ meta_template: metaTemplate, is_api: model === 'api' }, quirks)
  if (mode !== 'gen' && mode !== 'ppl')
    throw new PromptError('wrong-value', { where: 'mode', problem: `no mode ${String(mode)}`, fix: 'use gen or ppl' })
  const hasMeta = typeof metaTemplate === 'object' && metaTemplate !== null && Object.keys(metaTemplate).length > 0
  const prompt = format.render(readPromptList(promptList, hasMeta), { want: mode === 'gen' ? 'generate' : 'complete' })
  return plainValue(prompt)
}

/** A marker list as the pipeline rules see input: which strings and turns occur in which section. */
function asPipeline({ promptList, metaTemplate, model, mode }: ParseArgs): PipelineVector {
  const parts: Record<string, (string | TurnJson)[]> = { begin: [], round: [], end: [] }
  const open: string[] = []
  for (const item of promptList) {
    if (!isMarker(item)) parts[open.at(-1) === 'ice' || open.length === 0 ? 'begin' : open.at(-1)!]?.push(item)
    else if (item.pos === 'begin') open.push(item.section)
    else open.pop()
  }
  const template = { ...parts, ...(parts.end!.length > 0 ? {} : { end: undefined }) }
  const { begin, round, end } = template as { begin: unknown; round: unknown; end?: unknown }
  return {
    id: 'unit/parse',
    iceTemplate: null,
    promptTemplate: { template: { begin, round, ...(end === undefined ? {} : { end }) } },
    metaTemplate,
    model,
    mode,
    entry: {},
    iceEntries: [],
    iceSeparator: '',
    iceEosToken: '',
    outputColumn: null,
  }
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

function truncate(args: TruncateArgs, quirks: Quirks): unknown {
  const maker = makerOf(args, quirks)
  const examples = args.fixIdList.map((id) => args.train[id]!)
  const fitted = args.test.map((row) =>
    fitExamples({
      examples,
      limit: args.maxSeqLen ?? undefined,
      render: (kept) => maker.render({ row, examples: kept, mode: 'gen' }).prompt,
      // The reference counts messages as one concatenated text.
      count: (prompt) =>
        countWords(prompt.kind === 'chat' ? prompt.messages.map(({ content }) => textOf(content)).join('') : textOf(prompt.pieces)),
    }),
  )
  return { prompts: fitted.map(({ rendered }) => plainValue(rendered)), iceCounts: fitted.map(({ kept }) => kept) }
}
