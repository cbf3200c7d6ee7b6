import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import type { Format } from './format.ts'
import { type DeclaredFormat, placeIn, rejectOptions } from './format-kind.ts'
import { bareApiFormat } from './meta/api-format.ts'
import { isApiModel } from './meta/meta-template-kind.ts'
import { isServerType, writesChatTemplate } from './model-class.ts'
import { plainFormat } from './plain-format.ts'

/** The format of a model that declares none: the ordinary string of document 001, for servers and API models as one user message. */
export function undeclaredFormat(model: DeclaredFormat, quirks: Quirks): Format {
  rejectOptions(model)
  rejectMissingTemplate(model)
  const options = { where: placeIn(model, 'meta_template'), quirks, api: true }
  if (!isServerType(model.type)) return isApiModel(model) ? bareApiFormat(options) : plainFormat(quirks)
  if (model.endpoint === 'completions' || model.is_api === false) return plainWithNote(model, quirks)
  return bareApiFormat(options)
}

/** A class that writes prompts with a chat template cannot do without it: plain text would be another prompt. */
function rejectMissingTemplate(model: DeclaredFormat): void {
  if (!writesChatTemplate(model.type)) return
  throw new PromptError('no-template', {
    where: placeIn(model, 'type'),
    problem: `${model.type!.split('.').at(-1)} writes prompts in the chat template of the model's tokenizer, which is not here`,
    fix: `give the model's folder as "path", "tokenizer_path", "chat_template" or with --chat-template, or let a server write it: rolecall run --models ${model.abbr ?? 'NAME'}=http://127.0.0.1:8000/v1`,
  })
}

/** A completions server gets plain text, which is rarely what a chat model was trained on. */
function plainWithNote({ abbr = 'model' }: DeclaredFormat, quirks: Quirks): Format {
  const plain = plainFormat(quirks)
  const note: Note = {
    code: 'no-format',
    where: abbr,
    text: 'the model declares no format, so that its prompts are plain text: right for a base model, wrong for one that was trained on turns',
  }
  return {
    ...plain,
    render(conversation, ask) {
      const prompt = plain.render(conversation, ask)
      return { ...prompt, notes: [...prompt.notes, note] }
    },
  }
}
