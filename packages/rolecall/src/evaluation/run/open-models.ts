import { PromptError } from '@rolecall/core/internal/errors'
import type { Interpreter } from '../../model/agent/interpreter.ts'
import { scorerOf } from '../../model/language-model/cannot-score.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import type { ModelConfig } from '../config/config-schema.ts'
import type { Judge } from './judge-prompts.ts'
import type { Pair } from './plan-run.ts'
import type { RunEnvironment, RunOptions } from './run-types.ts'

/** The models of a group, opened when the first row is sent: once per prompt format. */
export class OpenModels {
  readonly #environment: RunEnvironment
  readonly #options: RunOptions
  readonly #isBatch: boolean
  readonly #opened = new Map<string, Promise<LanguageModel>>()
  readonly #interpreters = new Map<string, Promise<Interpreter>>()
  #evaluated: LanguageModel | undefined
  #onRoom: (() => void) | undefined

  /** `isBatch`: a model may start threads when rows follow one another; the number of rows in flight then grows. */
  constructor(environment: RunEnvironment, options: RunOptions, { isBatch }: { isBatch: boolean }) {
    this.#isBatch = isBatch
    this.#environment = environment
    this.#options = options
  }

  /**
   * How many rows may be in flight; one until the model is open. It may grow later, when the model starts threads. Rows that the server
   * refused for a while do not hold up others, up to four times as many.
   */
  get concurrency(): number {
    const model = this.#evaluated
    if (!model) return 1
    const most = this.#options.workers ?? model.concurrency ?? 1
    return model.held ? most + Math.min(4 * most, model.held()) : most
  }

  /** Called when more rows may be in flight: a model is open, or a row waits. */
  onRoom(listener: () => void): void {
    this.#onRoom = listener
  }

  for({ model, dataset, maker, inferencer, name }: Pair): Promise<LanguageModel> {
    // One model has one format, except for the reference's quirks that a dataset may enable.
    const key = dataset.compat ?? ''
    const known = this.#opened.get(key) ?? this.#open(model, maker.format)
    this.#opened.set(key, known)
    return known.then((opened) => {
      if (inferencer.needs === 'score') scorerOf(opened, `${name.dataset} › infer_cfg.inferencer.type`, name.model)
      return opened
    })
  }

  /** Judges are opened once for all datasets; the evaluated model limits the rows in flight. */
  judge({ config, maker }: Judge): Promise<LanguageModel> {
    const key = JSON.stringify(config)
    const known = this.#opened.get(key) ?? this.#environment.openModel(config, maker.format, { batchJournal: this.#options.batchJournal })
    this.#opened.set(key, known)
    return known
  }

  /** The interpreter that tests answers, one for all datasets that need the same files. */
  interpreter(dataset: string, files: readonly string[] = []): Promise<Interpreter> {
    if (!this.#environment.openInterpreter) {
      throw new PromptError('no-interpreter', {
        where: `${dataset} › eval_cfg.evaluator`,
        problem: 'answers are tested by running them, but nothing here runs code',
        fix: 'run it with `rolecall run`',
      })
    }
    const key = files.join('\u0000')
    const known = this.#interpreters.get(key) ?? this.#environment.openInterpreter(files)
    this.#interpreters.set(key, known)
    return known
  }

  async #open(config: ModelConfig, format: Pair['maker']['format']): Promise<LanguageModel> {
    const { workers, onWait, sharedPace, batchJournal } = this.#options
    const opened = await this.#environment.openModel(config, format, {
      workers,
      ...(this.#isBatch ? { isBatch: true } : {}),
      onWait: (wait) => {
        onWait?.(wait)
        this.#onRoom?.()
      },
      ...(sharedPace ? { sharedPace } : {}),
      batchJournal,
    })
    this.#evaluated = opened
    this.#onRoom?.()
    return opened
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) await (await opened.catch(() => undefined))?.close?.()
    for (const opened of this.#interpreters.values()) await (await opened.catch(() => undefined))?.close()
  }
}
