import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { pyStr } from '../../base/python/index.ts'
import { type CompiledPromptTemplate, compileTemplate } from './compile-template.ts'
import { retrieverType } from './examples-of.ts'
import type { DatasetTemplates } from './question.ts'

/** `PromptSettings` whose templates are not checked yet: compiling them does. */
export type UncheckedPromptSettings = {
  abbr?: string
  reader_cfg?: { output_column?: string | null }
  infer_cfg: {
    prompt_template?: unknown
    ice_template?: unknown
    retriever?: { type?: string; fix_id_list?: readonly number[]; ice_separator?: string; ice_eos_token?: string }
    inferencer?: { labels?: readonly (string | number)[]; gen_field_replace_token?: string | null }
  }
}

/** Compiles a dataset's templates. Either may be omitted (document 002): a lone `ice_template` also serves as the `prompt_template`. */
export function compileDataset(dataset: UncheckedPromptSettings, quirks: Quirks): DatasetTemplates {
  const { reader_cfg: reader = {}, infer_cfg: infer } = dataset
  const where = `${dataset.abbr === undefined ? '' : `${dataset.abbr} › `}infer_cfg`
  if (typeof infer !== 'object' || infer === null) {
    throw new PromptError('missing', { where, problem: '"infer_cfg" is missing', fix: 'add it, with a prompt_template' })
  }
  const ice = infer.ice_template ? compileTemplate(infer.ice_template, `${where}.ice_template`, quirks) : undefined
  const prompt = infer.prompt_template ? compileTemplate(infer.prompt_template, `${where}.prompt_template`, quirks) : ice
  if (!prompt) {
    throw new PromptError('missing', {
      where,
      problem: 'there is neither a prompt_template nor an ice_template',
      fix: 'add a prompt_template',
    })
  }
  if (ice && prompt !== ice && prompt.iceToken === undefined) {
    throw new PromptError('ice-token-missing', {
      where: `${prompt.path}.ice_token`,
      problem: 'there is an ice_template, and the prompt_template does not say where its examples go',
      fix: 'set ice_token in the prompt_template, and write it where the examples go; or remove the ice_template',
    })
  }
  const { retriever = {} } = infer
  const { ice_separator: separator = '\n', ice_eos_token: eosToken } = retriever
  const isZeroShot = retrieverType(retriever) === 'ZeroRetriever'
  const { gen_field_replace_token: mask = '' } = infer.inferencer ?? {}
  const labels = infer.inferencer?.labels?.map((label) => pyStr(label)) ?? labelsIn(prompt, infer.prompt_template, quirks)
  return {
    prompt,
    ...(ice ? { ice } : {}),
    ...(reader.output_column ? { outputColumn: reader.output_column } : {}),
    ...(labels ? { labels } : {}),
    // Python shows a null as None.
    mask: mask ?? 'None',
    separator,
    // Examples that come without a retriever, from a program or a request, are written as those of FixKRetriever.
    eos: eosToken ?? (isZeroShot && retriever.type !== undefined ? '' : '\n'),
    eosWithoutExamples: eosToken ?? (isZeroShot ? '' : '\n'),
    quirks,
  }
}

function labelsIn({ body }: CompiledPromptTemplate, given: unknown, quirks: Quirks): readonly string[] | undefined {
  if (body.kind === 'labels') return body.labels
  const template =
    body.kind === 'dialogue' && quirks.has('dialogue-labels') ? (given as { template?: object } | undefined)?.template : undefined
  return template && Object.keys(template)
}
