// A model's `type` may be a class of OpenCompass or AISBench, with or without its module; the name determines its kind of prompts.

/** Whether models of a type run on a server, which writes messages in the model's own format. */
export function isServerType(type: string | undefined): boolean {
  return type === 'openai' || type === 'anthropic' || type === 'google'
}

/** Whether a class takes messages. */
export function isApiClass(type: string | undefined): boolean {
  return /^(openai|claude|gemini)|api$/i.test(classIn(type))
}

/** Whether a class writes prompts with the chat template of the model's tokenizer. */
export function writesChatTemplate(type: string | undefined): boolean {
  return /withChatTemplate$/i.test(type ?? '') || classIn(type) === 'HuggingFaceAboveV433Chat'
}

function classIn(type: string | undefined): string {
  return type?.split('.').at(-1) ?? ''
}
