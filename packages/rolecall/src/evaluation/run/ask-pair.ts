import { PromptError } from '@rolecall/core/internal/errors'
import type { OnTokens } from './ask/ask-model.ts'
import { planRequests } from './ask/plan-requests.ts'
import { type AskRowOptions, askRow, hashRequests, type OpenedPair } from './ask-row.ts'
import { retryKey, withLimit } from './layers/retry-cut.ts'
import { OpenModels } from './open-models.ts'
import type { Pair } from './plan-run.ts'
import { pairText } from './record/pair-name.ts'
import type { RowAnswer } from './record/run-record.ts'
import { drawsOf, settingsText, withDraw } from './request-key.ts'
import type { RowTask, RunEnvironment, RunOptions } from './run-types.ts'

export type AskPairOptions = AskRowOptions & Pick<RunOptions, 'workers' | 'onWait' | 'sharedPace'>

/** Sends rows for a run in another process. */
export type PairAsker = {
  /** How many rows may be in flight; known once the model is open. */
  open(): Promise<number>
  /** Undefined if the answer was aborted; `onTokens` receives the tokens of each reply. */
  ask(task: RowTask, onTokens?: OnTokens): Promise<RowAnswer | undefined>
  close(): Promise<void>
}

/**
 * The other side of `RemoteWorkers`: the pairs of one model, row by row. Each row is rendered again, and only sent if its key
 * equals that of the run: another version, tokenizer or setting would answer different questions.
 */
export function pairAskers(pairs: readonly Pair[], environment: RunEnvironment, options: AskPairOptions): PairAsker[] {
  // The run reserves as many slots as the model has when it is opened.
  const models = new OpenModels(environment, options, { isBatch: false })
  return pairs.map((pair) => {
    const settings = environment.hash(settingsText(pair, environment.identify?.(pair.model) ?? '')).slice(0, 32)
    const draws = drawsOf(pair)
    const asking = { pair, environment, options }
    let opened: Promise<OpenedPair> | undefined
    const open = () => {
      opened ??= models.for(pair).then((model) => ({ model, plan: planRequests(pair, { tokenizer: model.tokenizer }) }))
      return opened
    }
    return {
      open: async () => {
        await open()
        return models.concurrency
      },
      async ask({ row, id, examples, key, retry }, onTokens) {
        const here = await open()
        const draw = draws?.(id)
        const written = hashRequests(here.plan, { row, examples }, environment.hash)
        const ours = written.asked + withDraw(settings, draw)
        if (ours !== (retry?.of ?? key)) throw otherKey(pair, id, ours, retry?.of ?? key)
        if (retry && key !== retryKey(ours, retry.maxTokens, environment.hash)) throw otherKey(pair, id, ours, key)
        return askRow(asking, withLimit(here, retry?.maxTokens), written, draw, retry?.spent, onTokens)
      },
      close: () => models.close(),
    }
  })
}

function otherKey({ name }: Pair, id: number, ours: string, theirs: string): PromptError {
  const isPrompt = ours.slice(0, 32) !== theirs.slice(0, 32)
  return new PromptError('other-key', {
    where: `${pairText(name)}, row ${id}`,
    problem: isPrompt
      ? 'this machine renders another prompt than the run that queued this row'
      : 'the model or its settings differ from those of the run that queued this row',
    fix: 'use the same version of Rolecall, and the same model and tokenizer files (with their dates: on a shared disk, or copied with cp -p)',
  })
}
