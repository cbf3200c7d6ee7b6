import type { Value } from '@rolecall/core/internal/python'
import { runModule } from '../../../python/interpreter/import-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { parseModule } from '../../../python/syntax/parse-module.ts'
import { byClass, fieldsOf, type ImportedEntry } from './imported-entry.ts'

/** The prompts that a class of OpenCompass takes from its own module: the file, and which of the module's names hold them. */
type Source = { file: string; names: RegExp }

const loaders: Readonly<Record<string, Source>> = {
  MTBenchDataset: { file: 'opencompass/datasets/subjective/mtbench.py', names: /^(?:pair|single)_/ },
  ...Object.fromEntries(
    ['MTBench101Dataset', 'MTBench101WithRawPromptDataset'].map((name) => [
      name,
      { file: 'opencompass/datasets/subjective/mtbench101.py', names: /^(?:judge|score_format|unique_prompt|eval_\w+)$/ },
    ]),
  ),
}

const evaluators: Readonly<Record<string, Source>> = {
  GaoKaoMATHEvaluator: { file: 'opencompass/datasets/gaokao_math.py', names: /^EVAL_PROMPT$/ },
}

/**
 * A dataset whose class has prompts in its module, with these prompts as `wording`. They are read from the checkout or package of
 * OpenCompass that the config belongs to, and only literals of the module are evaluated.
 */
export function withWording(session: Session, entry: ImportedEntry, convert: (value: Value) => unknown): ImportedEntry {
  const evaluation = fieldsOf(entry.eval_cfg)
  const evaluator = fieldsOf(evaluation.evaluator)
  const ofRows = wordingOf(session, byClass(loaders, entry.type), convert)
  const ofJudge = wordingOf(session, byClass(evaluators, evaluator.type), convert)
  return {
    ...entry,
    ...(ofRows ? { wording: ofRows } : {}),
    ...(ofJudge ? { eval_cfg: { ...evaluation, evaluator: { ...evaluator, wording: ofJudge } } } : {}),
  }
}

function wordingOf(session: Session, source: Source | undefined, convert: (value: Value) => unknown): ImportedEntry | undefined {
  const text = source && session.readText(source.file)
  if (text === undefined) return undefined
  const module = parseModule(text, source!.file, true)
  const body = module.body.filter(
    ({ kind, ...rest }) =>
      kind === 'assign' && 'targets' in rest && rest.targets.every((target) => target.kind === 'name' && source!.names.test(target.name)),
  )
  const { names } = runModule(session, module.file, { ...module, body })
  return Object.fromEntries([...names].filter(([name]) => source!.names.test(name)).map(([name, value]) => [name, convert(value)]))
}
