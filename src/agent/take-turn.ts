import type { Format, Prompt } from '../format/format.ts'
import { promptText } from '../format/prompt-text.ts'
import type { GenerateOptions, LanguageModel, Reply as ModelReply } from '../model/language-model.ts'
import { parseBareCalls, parseReply, type Reply, type ReplyCall, ReplyParser, type ReplySyntax, type ReplyTokens } from '../parse/index.ts'
import { ToolChecker } from '../parse/tool-checker.ts'
import { dictGet, isDict } from '../python/index.ts'
import { decodeTokens } from '../tokenize/token-decoder.ts'
import type { Tokenizer } from '../tokenize/tokenizer.ts'
import type { AgentEvent } from './agent-event.ts'
import { plainReplies } from './syntax-of.ts'

export type TurnOptions = {
  model: LanguageModel
  format: Format
  syntax: ReplySyntax
  tools: readonly unknown[]
  generation: GenerateOptions
  emit: (event: AgentEvent) => void
}

/** What the model wrote, and what it means. */
export type TakenTurn = { written: ModelReply; reply: Reply }

/** Sends a prompt and reads the reply: what it says is told while it is written, what it calls when that is certain. */
export async function takeTurn(prompt: Prompt, { model, format, syntax, tools, generation, emit }: TurnOptions): Promise<TakenTurn> {
  const asked = format.kind === 'completion' ? { prompt: promptText(prompt) } : {}
  const { tokenizer } = model
  const tokens = tokenizer && replyTokens(tokenizer)
  const byText = new ReplyParser(syntax, { ...asked, tools })
  // Ids tell real marks from look-alikes, but not where a stop text begins.
  const byIds = tokens && !stopsAtText(prompt, generation, tokens) ? new ReplyParser(syntax, { ...asked, tools, tokens }) : undefined
  const tell = (events: ReturnType<ReplyParser['push']>) => {
    for (const event of events) if (event.type === 'text' || event.type === 'reasoning') emit(event)
  }
  let told = 0
  let hearsIds = false
  const answer = await model.generate(prompt, {
    ...generation,
    ...(byIds
      ? {
          onToken({ id }) {
            hearsIds = true
            tell(byIds.push([id]))
          },
        }
      : {}),
    onText(text) {
      told += text.length
      if (!hearsIds) tell(byText.push(text))
    },
  })
  if (byIds && hearsIds) tell(byIds.end())
  else {
    // A model need not tell what it says while it says it.
    if (told < answer.text.length) tell(byText.push(answer.text.slice(told)))
    tell(byText.end())
  }
  const written = withoutForeignIds(answer, tokenizer)
  if (answer.calls || answer.reasoning !== undefined) return { written, reply: readByServer(answer, byText.reply, tools) }
  const read =
    byIds && hearsIds ? byIds.reply : written.ids && tokens ? parseReply(written.ids, syntax, { ...asked, tools, tokens }) : byText.reply
  return { written, reply: syntax === plainReplies && format.kind === 'completion' ? readBareCalls(read, tools) : read }
}

/** Where a format has no marks for calls, as MLC's, a reply that is nothing but calls of tools that are there is those calls. */
function readBareCalls(reply: Reply, tools: readonly unknown[]): Reply {
  const names = new Set(tools.map((tool) => (isDict(tool) ? dictGet(tool, 'name') : undefined)))
  const calls = tools.length === 0 ? [] : parseBareCalls(reply.text.trim())
  if (calls.length === 0 || !calls.every((call) => call.kind === 'call' && names.has(call.name))) return reply
  const checked = checkCalls(calls, tools)
  return { ...reply, text: '', calls: checked, parts: checked }
}

function stopsAtText({ stop }: Prompt, { stopTexts = [] }: GenerateOptions, { idOf }: ReplyTokens): boolean {
  return stopTexts.length > 0 || stop.some((one) => 'text' in one || ('token' in one && idOf(one.token) === undefined))
}

/** Ids that say more than the text, as where a stop text was cut off, cannot stand for it. */
function withoutForeignIds(answer: ModelReply, tokenizer: Tokenizer | undefined): ModelReply {
  if (!answer.ids || !tokenizer || decodeTokens(answer.ids, tokenizer) === answer.text) return answer
  const { ids: _, logProbabilities: __, ...rest } = answer
  return rest
}

function replyTokens(tokenizer: Tokenizer): ReplyTokens {
  return { idOf: (token) => tokenizer.idOf(token), decode: (ids) => decodeTokens(ids, tokenizer) }
}

/** A server that reads calls itself leaves only words in the text; its calls are checked as ours are. */
function readByServer({ calls = [], reasoning = '', text }: ModelReply, read: Reply, tools: readonly unknown[]): Reply {
  const checked = checkCalls(calls, tools)
  return {
    ...read,
    text,
    reasoning,
    calls: checked,
    parts: [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning' as const, text: reasoning, at: [0, 0] as const }]),
      ...(text === '' ? [] : [{ kind: 'text' as const, text, at: [0, text.length] as const }]),
      ...checked,
    ],
  }
}

function checkCalls(calls: readonly ReplyCall[], tools: readonly unknown[]): ReplyCall[] {
  const checker = new ToolChecker(tools)
  return calls.map((call) => {
    const problems = call.kind === 'call' ? checker.problemsOf(call) : []
    return problems.length > 0 && call.kind === 'call' ? { ...call, problems } : call
  })
}
