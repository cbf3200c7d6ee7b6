import type { Quirks } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { dictGet } from '../../../packages/core/src/base/python/index.ts'
import { countWords, fitExamples, type Row } from '../../../packages/rolecall/src/datasets.ts'
import { settingsOf } from '../../../packages/rolecall/src/evaluation/run/ask/generation-settings.ts'
import type { RequestPlan } from '../../../packages/rolecall/src/evaluation/run/ask/inferencer.ts'
import { inferencerOf } from '../../../packages/rolecall/src/evaluation/run/ask/inferencers.ts'
import { planRequests } from '../../../packages/rolecall/src/evaluation/run/ask/plan-requests.ts'
import { fitRow, startRow } from '../../../packages/rolecall/src/evaluation/run/ask/start-row.ts'
import { textOf } from '../../../packages/rolecall/src/formats.ts'
import type { Prompt } from '../../../packages/rolecall/src/index.ts'
import type { ScoredPrompt } from '../../../packages/rolecall/src/model/language-model/language-model.ts'
import { configsOf, makerOf } from './pipeline.ts'
import { plainValue } from './plain-value.ts'
import { promisedPrompt } from './promised-prompt.ts'
import type { PipelineVector } from './vector.ts'

export type TruncateArgs = Pick<
  PipelineVector,
  'iceTemplate' | 'promptTemplate' | 'metaTemplate' | 'model' | 'iceSeparator' | 'iceEosToken'
> & {
  train: Row[]
  test: Row[]
  fixIdList: number[]
  maxSeqLen: number | null
  outputColumn: string
}

export type PerplexityArgs = TruncateArgs & { normalizingStr: string | null; retriever: 'fix' | 'zero' }

/** The reference's predictions file, limited to prompts and outputs. */
export function asked(expected: unknown): unknown {
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
export function comparePerplexities(args: PerplexityArgs, quirks: Quirks): unknown {
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
        inferencer: inferencerOf(inferencer, name.dataset),
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
  return { tokens, logProbabilities, reused: 0, notes: [] }
}

/** The vectors' metrics are sums of a few floats; their last digits depend on the order of addition. */
function rounded(value: number): number {
  return Number(value.toFixed(9))
}

/** The prompts of a run with as many examples as fit. */
export function promisedFit(
  { test, train, fixIdList, maxSeqLen }: TruncateArgs,
  asked: (row: Row, examples: Row[]) => PipelineVector,
): unknown {
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

/** A run of PPLInferencer with as many examples as fit with every label; what is sent is counted. */
export function promisedRun(args: PerplexityArgs, asked: (row: Row, label: string, examples: Row[]) => PipelineVector): unknown {
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

export function truncate(args: TruncateArgs, quirks: Quirks): unknown {
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
