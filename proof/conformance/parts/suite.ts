import { type JinjaTemplate, renderChat, TemplateError } from '../../../packages/core/src/base/jinja/index.ts'
import { dictEntries, dictGet, isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { asEngine, type EngineModel, type EngineView } from '../../../packages/core/src/prompt/format/parts/as-engine.ts'
import type { ContentForm, Modality } from '../../../packages/core/src/prompt/format/parts/engine-message.ts'
import { llamaCppCapabilities } from '../../../packages/core/src/prompt/format/parts/llama-cpp.ts'
import type { PartsEngine } from '../../../packages/core/src/prompt/format/parts/parts-engine.ts'
import { sglangForm } from '../../../packages/core/src/prompt/format/parts/sglang.ts'
import { type Placeholders, vllmForm } from '../../../packages/core/src/prompt/format/parts/vllm.ts'
import { placeholdersOf } from '../../../packages/core/src/prompt/format/parts/vllm-placeholders.ts'
import { type Outcome, outcomeOf, sameValue, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, unless, type Verdict } from '../verdict.ts'
import { type PartsTemplate, templateIn } from './templates.ts'

const engines: Readonly<Record<string, PartsEngine>> = {
  'parts-vllm': 'vllm',
  'parts-sglang': 'sglang',
  'parts-llamacpp': 'llama.cpp',
  'parts-transformers': 'transformers',
  'parts-transformers-serve': 'transformers-serve',
}

const clock = new Date('2025-03-14T15:09:26')

/** Messages with parts, as each serving stack passes them to a template, and the prompts that follow. */
export const parts: Suite = {
  name: 'parts',
  recognises: (vector) => Object.hasOwn(engines, String(dictGet(vector, 'group'))),
  examine(vector, folder) {
    const given = vector as PyDict
    const template = templateIn(folder, String(dictGet(given, 'template')))
    if (template === undefined) return failed('it names a template that is not in its folder')
    const engine = engines[String(dictGet(given, 'group'))]!
    const messages = dictGet(given, 'messages_given') as readonly PyDict[]
    let seen: readonly PyValue[] | undefined
    const converted = outcomeOf(() => {
      const view = viewOf(engine, template.source, modelOf(given))
      seen = view
        .convert(messages.map((message, index) => ({ message, pieces: [], path: `messages[${index}]` })))
        .map(({ message }) => message)
      return { detected: detectedName(view.form, template.source), messages: seen }
    })
    const rendered = seen === undefined || isOwnEngine(given) ? undefined : outcomeOf(() => renderSeen(template, seen!, engine))
    return {
      ours: rendered === undefined ? [converted] : [converted, rendered],
      judge: ([first, second]) => judge(given, first!, second),
    }
  },
}

/** What each stack takes a template for, before it sees a message. */
export const partsDetect: Suite = {
  name: 'parts',
  recognises: (vector) => dictGet(vector, 'group') === 'parts-detect',
  examine(vector, folder) {
    const given = vector as PyDict
    const template = templateIn(folder, String(dictGet(given, 'template')))
    if (template === undefined) return failed('it names a template that is not in its folder')
    const { source } = template
    const llamacpp = dictGet(given, 'llamacpp')
    const ours = outcomeOf(() => {
      const { string, typed } = llamaCppCapabilities(source)
      const others = { vllm: nameOf(vllmForm(source)), sglang: nameOf(sglangForm(source)) }
      return llamacpp === undefined ? others : { ...others, llamacpp: { string, typed } }
    })
    const expected = {
      vllm: dictGet(given, 'vllm'),
      sglang: dictGet(given, 'sglang'),
      ...(llamacpp === undefined ? {} : { llamacpp: plain(llamacpp) }),
    }
    return trial(ours, (outcome) => unless('value' in outcome && sameValue(outcome.value, expected) ? undefined : show(outcome)))
  },
}

/** vLLM's table of placeholders. */
export const partsPlaceholders: Suite = {
  name: 'parts',
  recognises: (vector) => dictGet(vector, 'group') === 'parts-placeholder',
  examine(vector) {
    const given = vector as PyDict
    const expected = plain(dictGet(given, 'placeholders')!)
    const ours = outcomeOf(() =>
      [dictGet(given, 'class'), ...(dictGet(given, 'architectures') as readonly PyValue[])].map((name) => placeholdersOf(String(name))),
    )
    return trial(ours, (outcome) =>
      unless('value' in outcome && (outcome.value as unknown[]).every((one) => sameValue(one, expected)) ? undefined : show(outcome)),
    )
  },
}

const views = new Map<string, EngineView>()

/** What an engine makes of a template and a model; probing a template takes longer than using it. */
function viewOf(engine: PartsEngine, source: string, model: EngineModel): EngineView {
  const key = JSON.stringify([engine, model, source])
  const found = views.get(key) ?? asEngine(engine, source, model)
  views.set(key, found)
  return found
}

function modelOf(vector: PyDict): EngineModel {
  const model = String(dictGet(vector, 'model'))
  if (dictGet(vector, 'group') === 'parts-transformers-serve') return { accepts: kinds[model]! }
  const placeholders = dictGet(vector, 'placeholders')
  return {
    placeholders: placeholders === undefined ? placeholdersOfModel(model) : (plain(placeholders) as Placeholders),
    interleave: dictGet(vector, 'interleave') === true,
  }
}

const kinds: Readonly<Record<string, readonly Modality[]>> = { LLM: [], VLM: ['image', 'video'], MULTIMODAL: ['image', 'video', 'audio'] }

/** `generic` takes all media, `text-only` none; the others are classes of vLLM. */
function placeholdersOfModel(model: string): Placeholders | undefined {
  if (model === 'generic' || model === 'undefined') return undefined
  return model === 'text-only' ? {} : placeholdersOf(model)
}

function detectedName(form: ContentForm | undefined, source: string): string | undefined {
  if (form === undefined) return undefined
  if (form !== 'as-given') return nameOf(form)
  return llamaCppCapabilities(source).typed ? 'both' : 'none'
}

function nameOf(form: ContentForm): string {
  return form === 'parts' ? 'openai' : form
}

function renderSeen({ template, tokens }: PartsTemplate, messages: readonly PyValue[], engine: PartsEngine): string {
  if (engine === 'llama.cpp') return renderAsLlamaCpp(template, tokens, messages)
  return renderChat(template, { messages, tokens, addGenerationPrompt: true }, { clock }).text
}

function renderAsLlamaCpp(template: JinjaTemplate, tokens: Readonly<Record<string, string>>, messages: readonly PyValue[]): string {
  const variables = {
    messages,
    bos_token: tokens.bos_token ?? '',
    eos_token: tokens.eos_token ?? '',
    enable_thinking: true,
    datetime: 'Mar 14 2025',
    date_string: '14 Mar 2025',
    add_generation_prompt: true,
  }
  return template.render(variables, { clock })
}

function judge(vector: PyDict, converted: Outcome, rendered: Outcome | undefined): Verdict {
  const error = dictGet(vector, 'error')
  const stage = isDict(error) ? dictGet(error, 'stage') : undefined
  if (stage === 'convert') return unless('error' in converted ? undefined : `converts ${show(converted)}, but the stack refuses`)
  const detected = dictGet(vector, 'detected')
  const expected = { detected, messages: plain(dictGet(vector, 'messages_seen')!) }
  if (!('value' in converted) || !sameValue(withoutUndefined(converted.value), withoutUndefined(expected)))
    return failed(`${show(converted)}\n  expected ${JSON.stringify(expected)}`)
  if (isOwnEngine(vector)) return identical
  if (rendered === undefined) return failed('nothing was rendered')
  if (stage === 'render') return judgeError(error as PyDict, rendered)
  if ('error' in rendered) return failed(rendered.error.message)
  const text = String(dictGet(vector, 'text'))
  return unless(rendered.value === text ? undefined : `${JSON.stringify(rendered.value)}\n  expected ${JSON.stringify(text)}`)
}

/** llama.cpp's engine renders these messages differently from Jinja2, so only the messages are compared. */
function isOwnEngine(vector: PyDict): boolean {
  const flags = dictGet(vector, 'flags')
  return Array.isArray(flags) && flags.includes('engine')
}

/** The message counts only if it is the template's own. */
function judgeError(error: PyDict, rendered: Outcome): Verdict {
  const message = dictGet(error, 'message')
  if ('value' in rendered) return failed(`renders ${show(rendered)}, the stack fails with ${String(message)}`)
  if (dictGet(error, 'type') !== 'TemplateError') return identical
  const own = rendered.error
  return unless(own instanceof TemplateError && own.reason === message ? undefined : `${own.message}, expected ${String(message)}`)
}

/** Vectors as plain objects. */
function plain(value: PyValue): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return isDict(value) ? Object.fromEntries(dictEntries(value).map(([key, item]) => [key, plain(item)])) : value
}

function withoutUndefined(value: unknown): unknown {
  return plain(JSON.parse(JSON.stringify(value)) as PyValue)
}
