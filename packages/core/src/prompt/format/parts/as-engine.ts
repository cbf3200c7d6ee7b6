import type { ContentForm, EngineMessage, GivenMessage, Modality } from './engine-message.ts'
import { asLlamaCpp, llamaCppCapabilities } from './llama-cpp.ts'
import type { PartsEngine } from './parts-engine.ts'
import { asSglang, sglangForm } from './sglang.ts'
import { asTransformers, asTransformersServe } from './transformers.ts'
import { asVllm, type Placeholders, vllmForm } from './vllm.ts'

/** What an engine knows about the model besides its template. */
export type EngineModel = {
  /** The form of contents, instead of what the engine finds. */
  form?: ContentForm | undefined
  /** For vLLM: the media that the model accepts, and what is written for them in a template that takes strings. */
  placeholders?: Placeholders | undefined
  /** For vLLM: `--interleave-mm-strings`. */
  interleave?: boolean | undefined
  /** For transformers serve: the media that the model accepts; none for a text model. */
  accepts?: readonly Modality[] | undefined
  /** For llama.cpp: the placeholder of media in the prompt. */
  mediaMarker?: string | undefined
}

/** A template as an engine sees it: what it takes it for, and what it passes to it. */
export type EngineView = {
  /** Undefined for transformers, which does not look at the template. */
  form: ContentForm | undefined
  convert(messages: readonly GivenMessage[]): EngineMessage[]
}

/**
 * How a serving stack prepares messages for a template. The rules are those of vLLM a014e35f38, SGLang cce0a1244b, llama.cpp b21e4de745 and
 * transformers 5.18.
 */
export function asEngine(engine: PartsEngine, template: string, model: EngineModel = {}): EngineView {
  const { placeholders, interleave, accepts = [], mediaMarker } = model
  switch (engine) {
    case 'vllm': {
      const form = model.form ?? vllmForm(template)
      return { form, convert: (messages) => asVllm(messages, { form, placeholders, interleave }) }
    }
    case 'sglang': {
      const form = model.form ?? sglangForm(template)
      return { form, convert: (messages) => asSglang(messages, form) }
    }
    case 'llama.cpp': {
      const found = llamaCppCapabilities(template)
      const capabilities = model.form === undefined ? found : { ...found, form: model.form }
      return { form: capabilities.form, convert: (messages) => asLlamaCpp(messages, { capabilities, template, mediaMarker }) }
    }
    case 'transformers':
      return { form: undefined, convert: asTransformers }
    case 'transformers-serve':
      return { form: accepts.length > 0 ? 'parts' : 'string', convert: (messages) => asTransformersServe(messages, accepts) }
    default:
      return engine satisfies never
  }
}
