import type { Quirks } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { type PromptMaker, promptMaker } from '../../../packages/core/src/prompt/compile/prompt-maker.ts'
import { compileFormat } from '../../../packages/core/src/prompt/format/compile-format.ts'
import type { DatasetConfig, ModelConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import type { Prompt } from '../../../packages/rolecall/src/index.ts'
import type { Subject } from './judge.ts'
import { expectedMessages, plainValue } from './plain-value.ts'
import { promisedPrompt } from './promised-prompt.ts'
import { rulesOf } from './rules.ts'
import type { PipelineVector } from './vector.ts'

/** A vector of the whole pipeline: templates, examples, meta template. */
export function pipelineSubject(vector: PipelineVector): Subject {
  return {
    expected: 'expected' in vector ? { value: expectedValue(vector) } : undefined,
    produce: (quirks) => plainValue(renderVector(vector, quirks)),
    rules: rulesOf(vector),
    promised: () => promisedPrompt(vector),
  }
}

export function renderVector(vector: PipelineVector, quirks: Quirks): Prompt {
  const { prompt } = makerOf(vector, quirks).render({
    row: vector.entry,
    examples: vector.iceEntries,
    mode: vector.mode,
    ...(vector.label === undefined || vector.label === null ? {} : { label: String(vector.label) }),
    ...(vector.remainSep === undefined ? {} : { keepSeparator: vector.remainSep }),
  })
  return prompt
}

type Configs = Pick<
  PipelineVector,
  'iceTemplate' | 'promptTemplate' | 'metaTemplate' | 'model' | 'outputColumn' | 'iceSeparator' | 'iceEosToken' | 'genFieldReplaceToken'
>

/** The vector's configs as a user would write them; many vectors test malformed configs. */
export function configsOf(vector: Configs): { model: ModelConfig; dataset: DatasetConfig } {
  const model = { is_api: vector.model === 'api', meta_template: vector.metaTemplate } as ModelConfig
  const dataset = {
    reader_cfg: { output_column: vector.outputColumn },
    infer_cfg: {
      ice_template: vector.iceTemplate ?? undefined,
      prompt_template: vector.promptTemplate ?? undefined,
      retriever: { ice_separator: vector.iceSeparator, ice_eos_token: vector.iceEosToken },
      inferencer: 'genFieldReplaceToken' in vector ? { gen_field_replace_token: vector.genFieldReplaceToken } : {},
    },
  } as DatasetConfig
  return { model, dataset }
}

export function makerOf(vector: Configs, quirks: Quirks): PromptMaker {
  const { model, dataset } = configsOf(vector)
  return promptMaker((own) => compileFormat(model, own), dataset, { quirks, readsChats: false })
}

/** The reference's result in our shape: messages with server roles, a lone string as the user message. */
function expectedValue({ expected, model }: PipelineVector): unknown {
  return model === 'api' ? expectedMessages(expected) : expected
}
