import type { ModelConfig } from '../config/config-schema.ts'
import { mlcSettingsOf } from '../format/mlc/mlc-model.ts'
import { mlcSampling } from '../format/mlc/mlc-sampling.ts'
import type { Sampling } from '../model/sampling.ts'
import { fitPrompts } from './fit-prompts.ts'
import type { InferContext, Inferencer, RowQuestion } from './inferencer.ts'

/** OpenCompass's own default. */
const defaultLength = 512

/** GenInferencer: the model writes the answer. */
export const generate: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  prompts: ({ maker }, question) => [promptOf(maker, question)],
  async infer(context, question) {
    const { model, maker, modelConfig, dataset, signal } = context
    const fitted = fitPrompts(withTokenizer(context), question, (asked) => [promptOf(maker, asked)])
    const [prompt] = fitted.rendered
    const settings = dataset.infer_cfg.inferencer ?? {}
    const reply = await model.generate(prompt!, {
      maxTokens: settings.max_out_len ?? mostTokens(modelConfig),
      minTokens: settings.min_out_len ?? 0,
      stopTexts: settings.stopping_criteria ?? [],
      sampling: samplingOf(modelConfig),
      ...(signal ? { signal } : {}),
    })
    return {
      prediction: reply.text,
      prompts: [prompt!],
      finish: reply.finish,
      tokens: reply.tokens,
      examples: { used: fitted.kept, dropped: fitted.dropped },
      notes: [...prompt!.notes, ...fitted.notes, ...reply.notes],
    }
  },
}

const prepared = new WeakMap<InferContext['maker'], ReturnType<InferContext['maker']['prepare']>>()

function promptOf(maker: InferContext['maker'], { row, examples }: RowQuestion) {
  const ready = prepared.get(maker) ?? maker.prepare({ mode: 'gen' })
  prepared.set(maker, ready)
  return ready.prompt(row, examples)
}

export function withTokenizer(context: InferContext) {
  const { tokenizer } = context.model
  return { modelConfig: context.modelConfig, maker: context.maker, ...(tokenizer ? { tokenizer } : {}) }
}

/** The most tokens of an answer, by the model's config or its mlc-chat-config.json. */
export function mostTokens(config: ModelConfig): number {
  return config.max_out_len ?? mlcSettingsOf(config)?.maxGenLen ?? defaultLength
}

/** Sampling as the model's config has it, or its mlc-chat-config.json, itself or in `generation_kwargs`; greedy where nothing is said. */
export function samplingOf(config: ModelConfig): Partial<Sampling> {
  const given = { ...config, ...config.generation_kwargs }
  const settings = mlcSettingsOf(config)
  if (settings && given.do_sample !== false) return mlcSampling(settings, given.seed ?? 0)
  // Hugging Face's switch: without it a temperature means nothing.
  const temperature = given.do_sample === false ? 0 : given.temperature
  const named: Record<keyof Sampling, number | undefined> = {
    temperature,
    topP: given.top_p,
    repetitionPenalty: given.repetition_penalty,
    presencePenalty: given.presence_penalty,
    frequencyPenalty: given.frequency_penalty,
    seed: given.seed,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}
