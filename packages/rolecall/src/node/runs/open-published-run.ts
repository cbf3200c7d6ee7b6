import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { dictGet, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { type Piece, textOf } from '@rolecall/core/internal/text'
import { promptHash } from '../../compat/opencompass/import/prompt-hash.ts'
import type { PublishedPair, PublishedRow, PublishedRun } from '../../compat/publish/published-run.ts'
import { compareLikelihood } from '../../evaluation/run/ask/score-labels.ts'
import type { RunSummary } from '../../evaluation/run/record/run-record.ts'
import type { Pair } from '../../evaluation/run/run-pairs.ts'
import { bySamplingName } from '../../model/language-model/sampling-settings.ts'
import { modelTypeOf } from '../../model/model-types/index.ts'
import { parseHubName } from '../hub/hub-name.ts'
import { fileInRun } from './file-in-run.ts'
import { runFiles } from './run-layout.ts'
import { openRun, type RunPair, type RunReader } from './run-reader.ts'

/**
 * A run for other formats: its results, its rows, and the prompts, rendered again and compared with the recorded hashes. `note` is called
 * for what cannot be published. `unscored`: answers without a score are published, too.
 */
export async function openPublishedRun(
  folder: string,
  note: (text: string) => void,
  { unscored = false }: { unscored?: boolean } = {},
): Promise<PublishedRun> {
  const run = openRun(folder)
  const summary = summaryOf(run)
  const { folder: home } = await run.config()
  const names = publicNames(
    run.pairs.map(({ model }) => model),
    home,
  )
  const pairs: PublishedPair[] = []
  for (const pair of run.pairs) {
    const [result, planned] = [pair.result(), await pair.planned()]
    if (result === undefined || planned === undefined || (!unscored && (result.baseline || result.value === undefined))) {
      note(`${pair.model} · ${pair.dataset} is left out: ${result?.baseline ? 'it is a baseline' : 'it has no score'}`)
      continue
    }
    const model = names.get(result.model)!
    if (model !== result.model) note(`the model ${result.model} is published as ${model}: its name is a path on this machine`)
    pairs.push({
      ...describe(planned, home),
      result: { ...result, model, ...publicFormat(result.format, home) },
      rows: () => rowsOf(pair, note),
    })
  }
  if (pairs.length === 0 && !unscored)
    throw new PromptError('no-scores', {
      where: folder,
      problem: 'the run has no scores',
      fix: 'finish it with `rolecall run -r`, or score it with `rolecall score`',
    })
  const { name, started, version, groups, shown } = summary
  return { name, started, version, pairs, ...(groups ? { groups } : {}), ...(shown ? { shown } : {}) }
}

function summaryOf(run: RunReader): RunSummary {
  const summary = run.summary()
  if (summary) return summary
  throw new PromptError('no-summary', {
    where: fileInRun(run.folder, runFiles.summary.json),
    problem: 'the run has no summary',
    fix: 'write it again: rolecall score RUN',
  })
}

/** The names under which models are published: of a local path, only its last part; different models keep different names. */
function publicNames(models: readonly string[], home: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const model of [...models].sort((one, other) => Number(isLocal(one, home)) - Number(isLocal(other, home)))) {
    if (names.has(model)) continue
    const own = isLocal(model, home) ? lastPart(model) : model
    const taken = new Set(names.values())
    let name = own
    for (let number = 2; taken.has(name); number++) name = `${own}-${number}`
    names.set(model, name)
  }
  return names
}

function publicFormat(format: string | undefined, home: string): { format?: string } {
  return format === undefined ? {} : { format: isLocal(format, home) ? lastPart(format) : format }
}

function lastPart(path: string): string {
  return path.split(/[\\/]+/).findLast((part) => !/^(?:|\.{1,2}|~)$/.test(part)) ?? 'model'
}

/** Whether a name is a path on this machine: it says something about the machine, and nothing about the model. */
function isLocal(name: string, home: string): boolean {
  return /^(?:[./~\\]|[A-Za-z]:[\\/])/.test(name) || (/[/\\]/.test(name) && existsSync(resolve(home, name)))
}

function describe({ model, dataset, settings, inferencer }: Pair, home: string): Omit<PublishedPair, 'result' | 'rows'> {
  const { path } = model as { path?: unknown }
  const type = modelTypeOf(model)?.name
  const rows = (dataset as { path?: unknown }).path
  const hub = typeof rows === 'string' ? parseHubName(rows) : undefined
  return {
    model: {
      id: typeof path === 'string' && /^[\w.-]+\/[\w.-]+$/.test(path) && !isLocal(path, home) ? path : undefined,
      engine: type === 'embedded' ? 'rolecall' : type === 'gguf' ? 'llama.cpp' : undefined,
    },
    dataset: {
      repository: hub?.kind === 'datasets' && hub.site === 'huggingface' ? hub.id : undefined,
      version: promptVersion(dataset),
      mode: inferencer.needs === 'generate' ? 'gen' : inferencer === compareLikelihood ? 'll' : 'ppl',
      extraction: [model.pred_postprocessor, dataset.eval_cfg?.pred_postprocessor].flatMap((one) => namesOf(one as PyValue)),
    },
    settings: { ...bySamplingName(({ name }) => settings[name]?.value), max_tokens: settings.max_out_len?.value },
  }
}

/** OpenCompass's version of a dataset; undefined if its templates are not written as there. */
function promptVersion(dataset: Pair['dataset']): string | undefined {
  try {
    return promptHash(dataset as never).slice(0, 6)
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

function namesOf(config: PyValue | undefined): string[] {
  if (config === undefined || config === null) return []
  if (isList(config)) return config.flatMap(namesOf)
  const type = isDict(config) ? dictGet(config, 'type') : config
  return typeof type === 'string' ? [basename(type)] : []
}

async function* rowsOf(pair: RunPair, note: (text: string) => void): AsyncGenerator<PublishedRow> {
  for await (const { record, sent } of pair.prompts(note))
    yield sent ? { record, question: questionIn(sent.prompts[0]!), prompt: sent.text, prompts: sent.prompts } : { record }
}

/** The text of the dataset in a prompt: one turn per line, without what the chat format wrote. */
function questionIn(prompt: Prompt): string {
  const contents = prompt.kind === 'chat' ? prompt.messages.map(({ content }) => content) : turnsIn(prompt.pieces)
  return contents.map(textOf).join('\n')
}

function turnsIn(pieces: readonly Piece[]): Piece[][] {
  const turns: Piece[][] = [[]]
  for (const piece of pieces) {
    if (piece.source.by !== 'format') turns.at(-1)!.push(piece)
    else if (turns.at(-1)!.length > 0) turns.push([])
  }
  return turns.filter((turn) => turn.length > 0)
}
