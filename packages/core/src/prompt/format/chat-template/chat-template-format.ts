import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Quirks } from '../../../base/fidelity/quirks.ts'
import {
  type ChatInput,
  compileTemplate,
  knownRoles,
  renderChat,
  renderChatPieces,
  type TemplateCompiler,
  TemplateError,
  turnsAreLocal,
} from '../../../base/jinja/index.ts'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  stringifyJson,
} from '../../../base/python/index.ts'
import { type Conversation, isMessages, type LooseText } from '../../conversation/conversation.ts'
import { adaptConversation } from '../adapt/adapt-conversation.ts'
import { asMessages } from '../adapt/as-messages.ts'
import type { Line, Script, Turns } from '../adapt/script.ts'
import { type Alternation, answeredBy, type Traits } from '../adapt/traits.ts'
import type { Ask, Format, Prompt } from '../format.ts'
import { neededFormats } from '../more-formats.ts'
import type { TemplateContents } from '../parts/template-contents.ts'
import type { RolesPolicy } from '../roles/roles-setting.ts'
import type { CallForm, TemplateRoles } from '../roles/template-roles.ts'
import type { WrittenScript } from '../roles/write-climbing.ts'
import { type EarlierThoughts, earlierThoughts, thoughtFieldOf, thoughtFields } from './earlier-thoughts.ts'
import { hasGenerated, renderGenerated } from './generated-turns.ts'
import { type LostText, lostTexts } from './lost-texts.ts'
import { ContentPreparer, type PartsOptions } from './prepare-contents.ts'
import { type Capabilities, probeTemplate } from './probe.ts'
import { type ShownMessage, shownMessage } from './shown-messages.ts'
import { answerIn, completion, cutAt, generated, stopsOf } from './template-completion.ts'
import { traceContent } from './trace-content.ts'
import { withoutChanges } from './without-changes.ts'

/** How a chat template is compiled: its special tokens, its variables, and its place for errors. */
export type ChatTemplateOptions = {
  /** The template's place, for errors. */
  where?: string
  /** Special tokens, by the names that templates know: `bos_token`, `eos_token`, … */
  specialTokens?: Readonly<Record<string, string>>
  /** Other variables of the template: `enable_thinking`, … */
  kwargs?: Readonly<Record<string, PyValue>>
  documents?: readonly PyValue[]
  /** The time of `strftime_now`; by default the time of the render. */
  clock?: Date
  /** What becomes of turns that the template does not write; by default all messages are passed on as they are. */
  roles?: RolesPolicy | undefined
  /** A system turn that the template rejects: an error, or put before the first user text. */
  system?: 'error' | 'fold' | 'drop'
  /** Consecutive turns of one role in a template that requires alternation: joined by an empty line, or an error. */
  neighbours?: 'merge' | 'error'
  /** Text that the template does not write: a note, or an error; by default an error if it belongs to an example. */
  lostText?: 'note' | 'error'
  /** Reasoning of earlier turns: hidden from the template, or kept, which it must allow. By default the template decides. */
  earlierReasoning?: 'strip' | 'keep' | undefined
  /** Whether messages are normalized as serving stacks do for templates; true by default. */
  normalizeMessages?: boolean
  /**
   * How contents are prepared: as a serving stack does, by its rules and with its notion of what the template takes. By default as the
   * template itself takes them.
   */
  parts?: PartsOptions | undefined
  /** Which quirks of OpenCompass's models with a chat template are reproduced; none by default. */
  quirks?: Quirks
  /**
   * The engine that compiles and renders the template; by default this process. `isolatedTemplate` of `rolecall/node` can be stopped by a
   * timeout.
   */
  compile?: TemplateCompiler | undefined
}

/**
 * A Hugging Face chat template as a model's format. Every character of a prompt says whether the template wrote it or
 * which message it comes from, so that special tokens typed by a user stay text.
 *
 * @example
 * const format = chatTemplateFormat("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}")
 * const prompt = format.render(readChat({ messages: [{ role: 'user', content: 'Hi' }] }), { want: 'complete' })
 * promptText(prompt) // => '<|user|>Hi'
 */
export function chatTemplateFormat(
  source: string,
  options: ChatTemplateOptions = {},
): Format & { capabilities: Capabilities; contents: TemplateContents; roles(): TemplateRoles } {
  const compile = options.compile ?? compileTemplate
  const { roles: policy } = options
  const ladder = () =>
    neededFormats((options.where ?? 'chat_template').replace(/chat_template$/, 'roles'), 'the rules of `roles` are').ladder
  if (policy !== undefined) ladder()
  const changesLists = policy !== undefined && withoutChanges(source) !== source
  const template = compile(source, { name: options.where ?? 'chat_template', ...(changesLists ? { changesLists } : {}) })
  let unchanging: typeof template | undefined
  const templateWithoutChanges = () => {
    unchanging ??= compile(withoutChanges(source), { name: options.where ?? 'chat_template' })
    return unchanging
  }
  const tokens = options.specialTokens ?? {}
  const usesClock = template.names.includes('strftime_now')
  let known: Capabilities | undefined
  let local: boolean | undefined
  const capabilities = () => {
    known ??= probeTemplate(template, tokens, kwargs)
    return known
  }
  const { quirks = noQuirks } = options
  const where = options.where ?? 'chat_template'
  let thoughts: EarlierThoughts | undefined | null = null
  const thoughtsBefore = () => {
    if (thoughts === null) thoughts = earlierThoughts(template, { tokens, ...(options.kwargs ? { kwargs: options.kwargs } : {}) })
    return thoughts
  }
  let field: ReturnType<typeof thoughtFieldOf> | undefined
  const thoughtField = () => {
    field ??= thoughtFieldOf(template, { tokens, ...(kwargs ? { kwargs } : {}) })
    return field
  }
  const kwargs = options.earlierReasoning === 'keep' ? { ...options.kwargs, ...keeping(thoughtsBefore(), where) } : options.kwargs
  const preparer = new ContentPreparer(source, options.parts, (messages) => {
    try {
      return renderChat(template, { messages, tokens, kwargs, addGenerationPrompt: true }, { clock: options.clock ?? probeClock }).text
    } catch (error) {
      if (error instanceof TemplateError) return undefined
      throw error
    }
  })
  const alternation: Alternation = {
    joint: { text: '\n\n', control: false },
    roles: ['user', 'assistant'],
    policy: options.neighbours === 'error' ? 'error' : 'note',
  }
  const traits: Traits = {
    formatName: 'the chat template',
    roles: [...knownRoles],
    // A template may write any role verbatim: an unknown name in an evaluation template would reach the prompt unnoticed.
    otherRoles: 'as-given',
    looseText: quirks.has('api-string-dropped') ? 'drop' : 'as-user',
    userRole: 'user',
    names: true,
    rounds: answeredBy(
      'assistant',
      [...knownRoles].filter((role) => role !== 'assistant'),
    ),
    replyRole: 'assistant',
    affixes: 'inside',
    dropsSilent: quirks.has('chat-template-empty-turn'),
    readsContent: true,
    // A template may trim, replace or test texts, so that a prompt cannot be assembled from the fields of its row.
    rewritesContent: true,
    quirks,
    get tools() {
      return (policy !== undefined && policy.tools !== 'native') || capabilities().tools
    },
    get system() {
      // The ladder places system turns, and a serving stack passes all messages to the template.
      if (options.parts !== undefined || policy !== undefined) return 'turn'
      const { system } = capabilities()
      if (system === 'shown' || (system === 'dropped' && options.system === 'drop')) return 'turn'
      return { verb: system === 'dropped' ? 'leaves out' : 'rejects', folds: options.system === 'fold', where } as const
    },
    get alternates() {
      return options.parts === undefined && policy === undefined && capabilities().alternates ? alternation : undefined
    },
  }
  // OpenCompass's models with a chat template join the turns of one role with a newline.
  const dialogueTraits = quirks.has('chat-template-neighbours')
    ? Object.create(traits, { alternates: { value: { joint: { text: '\n', control: true } } satisfies Alternation } })
    : traits

  const scriptOf = (given: Conversation, ask: Ask): Script => {
    const conversation = given.kind === 'text' && quirks.has('chat-template-string') ? asMessages(given, quirks) : given
    return adaptConversation(conversation, ask, isMessages(conversation) ? traits : dialogueTraits)
  }

  const roles = (): TemplateRoles =>
    ladder().rolesOf({ source, compile, settings: { tokens, kwargs: kwargs ?? {} } }, (messages, tools) => {
      try {
        const isAsked = !isDict(messages.at(-1)) || dictGet(messages.at(-1) as PyDict, 'role') !== 'assistant'
        return renderChat(template, { messages, tools, tokens, kwargs, addGenerationPrompt: isAsked }, { clock: probeClock }).text
      } catch (error) {
        if (error instanceof TemplateError) return undefined
        throw error
      }
    })

  const inputOf = (
    script: Turns,
    notes: Note[],
    { variables }: Pick<Ask, 'variables'>,
    callForm?: CallForm,
  ): { shown: readonly ShownMessage[]; input: ChatInput } => {
    const lines = (script.lines as readonly Line[]).map((line) => shownMessage(line, options.normalizeMessages ?? true, notes))
    const thinking = options.normalizeMessages === false ? lines : lines.map((line) => withThought(line, thoughtField, notes))
    const stripped = options.earlierReasoning === 'strip' ? withoutEarlierThoughts(thinking, notes) : thinking
    const prepared = options.normalizeMessages === false ? stripped : preparer.prepare(stripped, notes)
    const shown = callForm?.arguments === 'text' ? withArgumentTexts(prepared, notes) : prepared
    const input = {
      messages: shown.map(({ message }) => message),
      tools: script.tools?.map(({ schema }) => ({ type: 'function', function: schema })) ?? (policy === undefined ? null : roles().noTools),
      documents: options.documents ?? null,
      addGenerationPrompt: script.next !== undefined,
      continueFinalMessage: script.isOpen === true,
      tokens,
      kwargs: variables === undefined ? kwargs : { ...kwargs, ...variables },
    }
    return { shown, input }
  }

  const renderOnce = (given: Conversation, ask: Ask): Prompt => {
    const script = scriptOf(given, ask)
    if (script.kind === 'text') return completion(script.content, script.notes, ask, stopsOf(capabilities(), tokens), 'tokenizer')
    if (policy === undefined) return writeScript(script, ask).prompt
    const { withPlaceholders, writeClimbing } = ladder()
    const lines = withPlaceholders(script.lines as readonly Line[], {
      takes: (role, kind) => ask.media !== 'placeholder' && preparer.takes(role, kind),
      isRefused: policy.images === 'error',
    })
    return writeClimbing(
      { ...script, lines: lines.lines, notes: [...script.notes, ...lines.notes] },
      {
        roles: roles(),
        policy,
        write: (climbed, callForm) => writeScript(climbed, ask, callForm),
      },
    )
  }

  const writeScript = (script: Turns, ask: Ask, callForm?: CallForm): WrittenScript => {
    const notes: Note[] = []
    const { shown, input } = inputOf(script, notes, ask, callForm)
    const clock = ask.clock ?? options.clock ?? new Date()
    const rendered = renderChatPieces(template, input, { clock })
    const lost = lostTexts(rendered.pieces, shown)
    refuseLoss(lost, options)
    if (policy !== undefined && script.tools) notes.push(...ladder().lostToolTexts(script.tools, rendered.text))
    if (changesLists) notes.push(listsChanged)
    const cut = cutAt(rendered.pieces, rendered.generation)
    const pieces = cut.flatMap((piece) => traceContent(piece, shown, script.tools ?? []))
    const clockNotes: Note[] = usesClock ? [{ code: 'clock', text: `the template was shown the time ${localTime(clock)}` }] : []
    const prompt = completion(
      pieces,
      [...script.notes, ...notes, ...lost.map(({ example: _, extent: __, ...note }) => note), ...clockNotes],
      ask,
      stopsOf(capabilities(), tokens),
      capabilities().writesBos ? 'in-prompt' : 'none',
      generated(pieces, rendered.generation) ?? answerIn(pieces, shown),
      shown.some(({ media }) => media.length > 0) ? preparer.mediaOf(shown) : [],
    )
    return { prompt, lost, isInOrder: policy === undefined || ladder().areInOrder(rendered.pieces) }
  }

  return {
    name: 'the chat template',
    kind: 'completion',
    traits,
    template: source,
    variables: template.names,
    get markers() {
      return capabilities().markers
    },
    get capabilities() {
      return capabilities()
    },
    get isLocal() {
      // What is stripped from a turn depends on the position of the last question.
      local ??= options.earlierReasoning === undefined && turnsAreLocal(source)
      return local
    },
    writeMessages: (messages, { tools = null, isAsked, kwargs: more, leavesOutChanges = false }) =>
      renderChat(
        leavesOutChanges ? templateWithoutChanges() : template,
        {
          messages,
          tools,
          documents: options.documents ?? null,
          addGenerationPrompt: isAsked,
          tokens,
          kwargs: { ...kwargs, ...more },
        },
        { clock: options.clock ?? new Date() },
      ).text,
    contents: preparer.contents,
    roles,
    get foldsTools() {
      if (policy?.tools !== 'auto') return policy?.tools === 'fold'
      const { writesTools } = ladder()
      return !writesTools(roles(), 'S U') && !writesTools(roles())
    },
    get earlierThoughts() {
      return thoughtsBefore()
    },
    render: (conversation, ask) => renderGenerated(conversation, (given) => renderOnce(given, ask)),
    text(conversation, ask) {
      // The ladder looks at what was written.
      if (policy !== undefined || hasGenerated(conversation)) return undefined
      const script = scriptOf(conversation, ask)
      if (script.kind === 'text' || script.lines.some(hasMedia)) return undefined
      return renderChat(template, inputOf(script, [], ask).input, { clock: ask.clock ?? options.clock ?? new Date() }).text
    },
  }
}

/** An example that the model does not see makes a few-shot prompt something else; OpenCompass does not notice. */
function refuseLoss(lost: readonly LostText[], { lostText, quirks = noQuirks, where = 'chat_template' }: ChatTemplateOptions): void {
  const [first] =
    lostText === 'error'
      ? lost
      : lostText === 'note' || quirks.size > 0
        ? []
        : lost.filter(({ example, extent }) => example !== undefined && extent !== 'name')
  if (first === undefined) return
  throw new PromptError('text-left-out', {
    where: first.where,
    problem: `${first.text}${first.example === undefined ? '' : `: it belongs to example ${first.example + 1}`}`,
    fix: `change the template, or set lost_text_policy: "note" (${where.replace(/chat_template$/, 'lost_text_policy')})`,
  })
}

/** The variables that make a template keep the thoughts of earlier turns. */
function keeping(thoughts: EarlierThoughts | undefined, where: string): EarlierThoughts['keptBy'] {
  if (thoughts?.fate === 'keeps') return {}
  if (thoughts?.keptBy) return thoughts.keptBy
  throw new PromptError('thoughts-dropped', {
    where: where.replace(/chat_template$/, 'earlier_reasoning'),
    problem: 'the chat template leaves out the reasoning of earlier turns, and has no variable that keeps it',
    fix: 'leave out earlier_reasoning, so that the model sees what it was trained with, or change the template',
  })
}

/** A message's reasoning under the template's name for it: clients send `reasoning_content`, whatever the template reads. */
function withThought(shown: ShownMessage, thoughtField: () => string, notes: Note[]): ShownMessage {
  const thought = dictGet(shown.message, 'reasoning_content')
  if (typeof thought !== 'string' || thought === '') return shown
  const field = thoughtField()
  if (dictHas(shown.message, field)) return shown
  notes.push({
    code: 'thought-renamed',
    where: shown.path,
    text: `reasoning_content was shown to the template as ${field}, which is what it reads`,
  })
  return { ...shown, message: dictFromEntries([...dictEntries(shown.message), [field, thought]]) }
}

/** Messages without the reasoning before the last user message. */
function withoutEarlierThoughts(shown: readonly ShownMessage[], notes: Note[]): ShownMessage[] {
  const last = shown.findLastIndex(({ message }) => dictGet(message, 'role') === 'user')
  return shown.map((one, index) => {
    if (index > last || !thoughtFields.some((field) => dictHas(one.message, field))) return one
    notes.push({
      code: 'thoughts-left-out',
      where: one.path,
      text: 'the reasoning of earlier turns was left out (earlier_reasoning: strip)',
    })
    const entries = dictEntries(one.message).filter(([key]) => !(thoughtFields as readonly string[]).includes(key))
    return { ...one, message: dictFromEntries(entries) }
  })
}

const listsChanged: Note = {
  code: 'template-changes-lists',
  text: 'the template changes lists that it makes, which the sandbox of transformers refuses',
}

/** Messages with the arguments of calls as JSON text. */
function withArgumentTexts(shown: readonly ShownMessage[], notes: Note[]): ShownMessage[] {
  return shown.map((line) => {
    const calls = dictGet(line.message, 'tool_calls')
    if (!isList(calls ?? null)) return line
    notes.push({
      code: 'arguments-as-text',
      where: line.path,
      text: 'arguments of calls were given as JSON text, which the template writes',
    })
    const entries = dictEntries(line.message).map(([key, value]): [string, PyValue] => [
      key,
      key === 'tool_calls' ? (calls as readonly PyValue[]).map(withArgumentText) : value,
    ])
    return { ...line, message: dictFromEntries(entries) }
  })
}

function withArgumentText(field: PyValue): PyValue {
  if (!isDict(field)) return field
  return dictFromEntries(
    dictEntries(field).map(([key, value]) => {
      if (key === 'function') return [key, withArgumentText(value)] as const
      return [key, key === 'arguments' && isDict(value) ? stringifyJson(value, { ensureAscii: false }) : value] as const
    }),
  )
}

const noQuirks: Quirks = new Set()
const probeClock = new Date(2024, 6, 26)

function hasMedia(line: Line | LooseText): boolean {
  return 'content' in line && line.content?.some((piece) => 'media' in piece) === true
}

function localTime(clock: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${clock.getFullYear()}-${two(clock.getMonth() + 1)}-${two(clock.getDate())} ${two(clock.getHours())}:${two(clock.getMinutes())}`
}
