import { dictGet, type PyDict, type PyValue } from '../../../base/python/index.ts'

/** What becomes of a chat: all of its texts are written, in their order; some are not; tools come twice; or the template raises an error. */
export type ChatFate = 'written' | 'left-out' | 'repeated' | 'refused'

/** How calls must be given so that a template writes them with their results. */
export type CallForm = { arguments: 'object' | 'text'; ids: 'any' | 'short' }

/** Renders messages with or without tools; undefined if the template refuses them. */
export type RenderProbe = (messages: readonly PyValue[], tools: readonly PyValue[] | null) => string | undefined

type Probe = { messages: PyValue[]; words: string[] }

/**
 * What a template does with each role at each place, found by rendering small chats when it matters, once. A chat is a list of letters:
 * S system, D developer, U user, A assistant, E an empty assistant turn, V an empty user turn, C a call, K text and a call, B two calls,
 * T the result of the next call that has none, X a call whose arguments are not JSON, N a user with a name, R an answer after reasoning.
 *
 * @example
 * roles.fate('S U A S U') // => 'written': a system message may stand in the middle
 */
export class TemplateRoles {
  readonly #render: RenderProbe
  readonly #fates = new Map<string, ChatFate>()
  readonly #forms = new Map<boolean, CallForm | undefined>()
  #takesParts: boolean | undefined
  #labels: boolean | undefined
  #declarations: number | undefined
  #repeats: boolean | undefined
  #noTools: readonly PyValue[] | null | undefined

  constructor(render: RenderProbe) {
    this.#render = render
  }

  /** Whether a chat is written: every text, in its order. */
  writes(chat: string, hasTools = false): boolean {
    return this.fate(chat, hasTools) === 'written'
  }

  fate(chat: string, hasTools = false): ChatFate {
    const key = hasTools ? `${chat} +tools` : chat
    const known = this.#fates.get(key)
    if (known !== undefined) return known
    const form = /[CKBTX]/.test(chat) ? this.callForm(hasTools) : anyForm
    const fate = form === undefined ? 'left-out' : this.#fateOf(this.#chatOf(chat, form), hasTools)
    this.#fates.set(key, fate)
    return fate
  }

  /** How a call and its result must be given; undefined if the template does not write them. */
  callForm(hasTools: boolean): CallForm | undefined {
    if (this.#forms.has(hasTools)) return this.#forms.get(hasTools)
    const form = callForms.find((candidate) => this.#fateOf(this.#chatOf('U C T', candidate), hasTools) === 'written')
    this.#forms.set(hasTools, form)
    return form
  }

  /** Whether a chat with a tool has its name and its description. */
  declaresTools(chat: string): boolean {
    const { messages, words } = this.#chatOf(chat, anyForm)
    const text = this.#render(messages, [tool])
    return text !== undefined && [...words, toolWord, toolDescription].every((word) => text.includes(word))
  }

  /** How often the description of a tool is written: some templates repeat it on purpose. */
  get declarations(): number {
    this.#declarations ??= declarationsIn(this.#render(this.#chatOf('U', anyForm).messages, [tool]) ?? '')
    return this.#declarations
  }

  /** Whether it describes the parameters of tools as well. */
  get describesParameters(): boolean {
    return this.#render(this.#chatOf('U', anyForm).messages, [tool])?.includes(parameterDescription) ?? false
  }

  /** Whether each result stands beside the id of its call, so that results may come in any order. */
  get labelsResults(): boolean {
    this.#labels ??= [true, false].some((hasTools) => this.#findLabels(hasTools))
    return this.#labels
  }

  /** Whether it takes only ids of nine letters and digits, so that others are replaced. */
  get replacesIds(): boolean {
    return [true, false].some((hasTools) => this.callForm(hasTools)?.ids === 'short')
  }

  /** The messages of a chat in the form of OpenAI's API, and its tools. */
  example(chat: string, hasTools: boolean): { messages: readonly PyValue[]; tools: readonly PyValue[] } {
    return { messages: this.#chatOf(chat, anyForm).messages, tools: hasTools ? [tool] : [] }
  }

  #findLabels(hasTools: boolean): boolean {
    const form = this.callForm(hasTools)
    if (form === undefined) return false
    const { messages, words } = this.#chatOf('U B T T', form)
    const [first, second] = [messages.at(-2)!, messages.at(-1)!] as [PyDict, PyDict]
    const text = this.#rendered([...messages.slice(0, -2), second, first], hasTools ? [tool] : null)
    const [firstWord, secondWord] = words.slice(-2) as [string, string]
    if (text === undefined) return false
    const [secondAt, firstAt] = [text.indexOf(secondWord), text.indexOf(firstWord)]
    const calls = text.indexOf(words.at(-3)!)
    if (secondAt < 0 || firstAt < secondAt || calls > secondAt) return false
    return (
      text.slice(secondAt, firstAt).includes(String(dictGet(first, 'tool_call_id'))) &&
      idBefore(text, String(dictGet(second, 'tool_call_id')), calls, secondAt)
    )
  }

  #fateOf({ messages, words }: Probe, hasTools: boolean): ChatFate {
    const text = this.#rendered(messages, hasTools ? [tool] : null)
    if (text === undefined) return 'refused'
    // Some templates declare the tools in every system message.
    if (hasTools && declarationsIn(text) > this.declarations) return 'repeated'
    let at = 0
    for (const word of words) {
      const place = text.indexOf(word, at)
      if (place < 0) return 'left-out'
      at = place + word.length
    }
    return !this.#repeatsWords() && words.some((word) => text.indexOf(word) !== text.lastIndexOf(word)) ? 'repeated' : 'written'
  }

  #chatOf(chat: string, form: CallForm): Probe {
    const words: string[] = []
    const open: string[] = []
    const messages = chat.split(' ').map((letter, index): PyValue => {
      const say = (kind = 'w') => {
        const word = `qz${letter}${index}${kind}`
        words.push(word)
        return word
      }
      const call = (kind: string) => {
        const id = `qz${form.ids === 'short' ? 'call' : 'identifier_of_call'}${kind}${String(index).padStart(2, '0')}`
        open.push(id)
        const word = say(kind)
        const given = letter === 'X' ? `${word} {` : form.arguments === 'text' ? `{"qzKey": "${word}"}` : { qzKey: word }
        return { id, type: 'function', function: { name: toolWord, arguments: given } }
      }
      switch (letter) {
        case 'T':
          return { role: 'tool', name: toolWord, tool_call_id: open.shift() ?? 'qzorphan0', content: this.#said(say()) }
        case 'C':
        case 'X':
          return { role: 'assistant', content: '', tool_calls: [call('a')] }
        case 'K':
          return { role: 'assistant', content: this.#said(say()), tool_calls: [call('a')] }
        case 'B':
          return { role: 'assistant', content: '', tool_calls: [call('a'), call('b')] }
        case 'E':
          return { role: 'assistant', content: '' }
        case 'V':
          return { role: 'user', content: this.#said('') }
        case 'N':
          return { role: 'user', name: say('n'), content: this.#said(say()) }
        case 'R':
          return { role: 'assistant', reasoning_content: say('r'), reasoning: say('r'), thinking: say('r'), content: this.#said(say()) }
        default:
          return { role: roleOf[letter] ?? 'user', content: this.#said(say()) }
      }
    })
    // One of the names of reasoning is enough.
    return { messages, words: [...new Set(words)] }
  }

  /** Whether it repeats a lone question as well. */
  #repeatsWords(): boolean {
    if (this.#repeats === undefined) {
      const { messages, words } = this.#chatOf('U', anyForm)
      const text = this.#rendered(messages, null) ?? ''
      this.#repeats = words.some((word) => text.indexOf(word) !== text.lastIndexOf(word))
    }
    return this.#repeats
  }

  /** The tools of a request without tools: some templates take only a list. */
  get noTools(): readonly PyValue[] | null {
    if (this.#noTools === undefined) {
      const { messages } = this.#chatOf('U', anyForm)
      this.#noTools = this.#render(messages, null) === undefined && this.#render(messages, []) !== undefined ? [] : null
    }
    return this.#noTools
  }

  #rendered(messages: readonly PyValue[], tools: readonly PyValue[] | null): string | undefined {
    return this.#render(messages, tools ?? this.noTools)
  }

  /** A text in the form that the template takes. */
  #said(text: string): PyValue {
    this.#takesParts ??= ![null, []].some((tools) => this.#render([{ role: 'user', content: 'qzString' }], tools)?.includes('qzString'))
    return this.#takesParts ? [{ type: 'text', text }] : text
  }
}

const anyForm: CallForm = { arguments: 'object', ids: 'any' }
const callForms: readonly CallForm[] = [
  anyForm,
  { arguments: 'object', ids: 'short' },
  { arguments: 'text', ids: 'any' },
  { arguments: 'text', ids: 'short' },
]

const roleOf: Readonly<Record<string, string>> = { S: 'system', D: 'developer', U: 'user', A: 'assistant' }

const toolWord = 'qzTool'
const toolDescription = 'qzDescription'
const parameterDescription = 'qzParameter'
const tool: PyValue = {
  type: 'function',
  function: {
    name: toolWord,
    description: toolDescription,
    parameters: { type: 'object', properties: { qzKey: { type: 'string', description: parameterDescription } }, required: ['qzKey'] },
  },
}

function declarationsIn(text: string): number {
  return Math.max(...[toolDescription, parameterDescription].map((word) => text.split(word).length - 1))
}

/** Whether an id stands before a result, after the last call. */
function idBefore(text: string, id: string, calls: number, result: number): boolean {
  const at = text.lastIndexOf(id, result)
  return at > calls && at < result
}
