import { Tokenizer as Library } from '@huggingface/tokenizers'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { StepBudget } from '../../../base/pattern/index.ts'
import { tokenSplitter } from '../split-added-tokens.ts'
import { tokenBytes } from '../token-bytes.ts'
import type { AddedToken, EncodedRun, Tokenizer } from '../tokenizer.ts'
import { alignNormalizer } from './align-offsets.ts'
import { type BoundedRun, boundSteps } from './bound-steps.ts'
import { bpeModel, isPlainBpe, type TokenModel } from './bpe-model.ts'
import { byteLevelOffsets, characterOffsets, type Offsets } from './offsets.ts'
import { isUnigram, unigramModel } from './unigram-model.ts'

type AddedTokenJson = { id: number; content: string; special?: boolean; lstrip?: boolean; rstrip?: boolean; normalized?: boolean }
type TokenizerJson = {
  added_tokens?: AddedTokenJson[]
  normalizer?: unknown
  pre_tokenizer?: unknown
  decoder?: unknown
  model?: { byte_fallback?: boolean }
}
type TokenizerConfig = Record<string, unknown>

/** The library's steps that we call directly; null if the tokenizer has none. */
type Steps = {
  normalizer: ((text: string) => string) | null
  pre_tokenizer: ((text: string, options: { section_index: number }) => string[]) | null
  model: TokenModel
  post_processor: ((tokens: string[], pair: null, addSpecialTokens: boolean) => { tokens: string[] }) | null
}

/**
 * Reads a Hugging Face `tokenizer.json` and its `tokenizer_config.json`. It uses the library's steps, but decides itself which added tokens
 * are found in text, since text from data must not become one.
 */
export function readHuggingFaceTokenizer(json: unknown, config: unknown, name: string): Tokenizer {
  const whole = checkJson(json, name)
  const settings = (config ?? {}) as TokenizerConfig
  const budget = new StepBudget()
  const steps = buildSteps(whole, settings, { name, budget })
  const bounded = boundSteps([steps.normalizer, steps.pre_tokenizer], whole, { name, budget })
  // The file's vocabulary is not kept in memory beside its tables.
  const file = { ...whole, model: { byte_fallback: whole.model?.byte_fallback === true } }
  const addedTokens = addedTokensOf(file, settings, steps)
  const idOf = (token: string) => steps.model.tokens_to_ids.get(token)
  const ofFile = wrapping(steps, idOf)
  // A file without its config still shows its BOS by adding it.
  const bos = idOf(tokenText(settings.bos_token) ?? '') ?? ofFile.before[0]
  const eos = idOf(tokenText(settings.eos_token) ?? '')
  const { before, after } = byFlags(ofFile, settings, { bos, eos })
  return {
    name,
    size: addedTokens.reduce((size, { id }) => Math.max(size, id + 1), steps.model.vocab.length),
    addedTokens,
    before,
    after,
    bos,
    eos,
    idOf,
    tokenOf: (id) => steps.model.vocab[id],
    bytesOf: tokenBytes((id) => steps.model.vocab[id], {
      isVerbatim: (id) => addedTokens.some((token) => token.id === id),
      isByteLevel: hasType(file.pre_tokenizer, 'ByteLevel') || hasType(file.decoder, 'ByteLevel'),
      hasByteTokens: file.model?.byte_fallback === true,
    }),
    encodeRun: runEncoder(file, steps, { addedTokens, bounded }),
  }
}

type Encoding = { addedTokens: readonly AddedToken[]; bounded: BoundedRun }

function runEncoder(file: TokenizerJson, steps: Steps, { addedTokens, bounded }: Encoding): Tokenizer['encodeRun'] {
  const splitters = new WeakMap<object, ReturnType<typeof tokenSplitter>>()
  const isByteLevel = hasType(file.pre_tokenizer, 'ByteLevel')
  const isByteToken = (token: string) => file.model?.byte_fallback === true && /^<0x[0-9A-F]{2}>$/.test(token)
  const offsetsOf = (tokens: readonly string[], text: string) =>
    isByteLevel ? byteLevelOffsets(tokens, text) : characterOffsets(tokens, text, isByteToken)
  const encode: Tokenizer['encodeRun'] = (text, isFirst, isProtected) => {
    const split = splitters.get(isProtected) ?? tokenSplitter(addedTokens.filter(({ id }) => !isProtected(id)))
    splitters.set(isProtected, split)
    const run = new RunBuilder()
    const sections = split(text)
    for (const [index, { start, end, token }] of sections.entries()) {
      if (token) {
        run.push(token.id, start, end)
        continue
      }
      const from = sections[index - 1]?.token?.rstrip ? end - text.slice(start, end).trimStart().length : start
      const to = sections[index + 1]?.token?.lstrip ? from + text.slice(from, end).trimEnd().length : end
      if (from < to) encodeSection(text.slice(from, to), from, isFirst && index === 0, { file, steps, offsetsOf, isProtected, run })
    }
    return run.done()
  }
  return (text, isFirst, isProtected) => bounded(text.length, () => encode(text, isFirst, isProtected))
}

type SectionContext = {
  file: TokenizerJson
  steps: Steps
  offsetsOf: (tokens: readonly string[], text: string) => Offsets | undefined
  isProtected: (id: number) => boolean
  run: RunBuilder
}

function encodeSection(section: string, at: number, isFirst: boolean, { file, steps, offsetsOf, isProtected, run }: SectionContext): void {
  const normalized = steps.normalizer ? steps.normalizer(section) : section
  if (normalized === '') return
  const pretokens = steps.pre_tokenizer ? steps.pre_tokenizer(normalized, { section_index: isFirst ? 0 : 1 }) : [normalized]
  const tokens = splitProtected(steps.model(pretokens), steps, isProtected)
  const isSame = normalized === section
  const aligned = isSame ? undefined : alignNormalizer(section, file.normalizer)
  const isFollowed = isSame || aligned?.text === normalized
  const offsets = isFollowed ? offsetsInNormalized(tokens, normalized, pretokens, offsetsOf) : undefined
  for (const [index, token] of tokens.entries()) {
    const id = steps.model.tokens_to_ids.get(token) ?? steps.model.unk_token_id
    if (id === undefined) continue
    if (!offsets) run.push(id, at, at + section.length, true)
    else {
      const [start, end] = [offsets.starts[index]!, offsets.ends[index]!]
      run.push(id, at + (aligned ? aligned.from[start]! : start), at + (aligned ? aligned.from[end]! : end), offsets.partial.has(index))
    }
  }
}

/** The pre-tokenizer may prepend a space and write spaces as ▁; prepended text covers nothing. */
function offsetsInNormalized(
  tokens: readonly string[],
  normalized: string,
  pretokens: readonly string[],
  offsetsOf: SectionContext['offsetsOf'],
): Offsets | undefined {
  const direct = offsetsOf(tokens, normalized)
  if (direct) return direct
  const joined = pretokens.join('')
  const extra = joined.length - normalized.length
  const found = offsetsOf(tokens, joined) ?? offsetsOf(tokens, ` ${normalized}`)
  if (!found || (extra !== 0 && extra !== 1)) return undefined
  const shift = extra === 0 && offsetsOf(tokens, joined) ? 0 : 1
  const back = (offset: number) => Math.max(0, offset - shift)
  return { starts: found.starts.map(back), ends: found.ends.map(back), partial: found.partial }
}

/**
 * Splits an id that merges could spell from plain text (InternLM2's vocabulary can merge `<s>`), down to the bytes of a character. A
 * character without bytes in the vocabulary is unknown.
 */
function splitProtected(tokens: string[], steps: Steps, isProtected: (id: number) => boolean): string[] {
  const isSafe = (token: string) => {
    const id = steps.model.tokens_to_ids.get(token)
    return id === undefined || !isProtected(id)
  }
  if (tokens.every(isSafe)) return tokens
  // Anything beyond the character encodes one that the vocabulary lacks, and is not examined.
  const withoutCharacter = (token: string) => (isSafe(token) || Array.from(token).length > 1 ? [token] : bytesInstead(token, steps))
  return tokens.flatMap((token) => {
    const [first, ...rest] = Array.from(token)
    if (rest.length === 0 || isSafe(token)) return withoutCharacter(token)
    return [...steps.model([first!]).flatMap(withoutCharacter), ...splitProtected(steps.model([rest.join('')]), steps, isProtected)]
  })
}

function bytesInstead(character: string, { model }: Steps): string[] {
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
  if (bytes.every((byte) => model.tokens_to_ids.has(byte))) return bytes
  const unknown = model.unk_token_id === undefined ? undefined : model.vocab[model.unk_token_id]
  return unknown === undefined ? [] : [unknown]
}

class RunBuilder {
  readonly #ids: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #partial: Set<number> | undefined

  push(id: number, start: number, end: number, isPartial = false): void {
    if (isPartial) {
      this.#partial ??= new Set()
      this.#partial.add(this.#ids.length)
    }
    this.#ids.push(id)
    this.#starts.push(start)
    this.#ends.push(end)
  }

  done(): EncodedRun {
    return { ids: this.#ids, starts: this.#starts, ends: this.#ends, partial: this.#partial ?? nothingPartial }
  }
}

/** Most runs have no token that is part of a character; a set for each would be a third of the cache. */
const nothingPartial: ReadonlySet<number> = new Set()

/** Added tokens, and the special tokens that the config names although the file does not list them. */
function addedTokensOf({ added_tokens: listed = [] }: TokenizerJson, config: TokenizerConfig, steps: Steps): AddedToken[] {
  const tokens = listed.map(({ id, content, special = false, lstrip = false, rstrip = false }) => ({
    id,
    content,
    special,
    lstrip,
    rstrip,
  }))
  const named = ['bos_token', 'eos_token', 'unk_token', 'pad_token'].map((key) => tokenText(config[key]))
  const additional = Array.isArray(config.additional_special_tokens) ? config.additional_special_tokens.map(tokenText) : []
  for (const content of [...named, ...additional]) {
    const id = content === undefined ? undefined : steps.model.tokens_to_ids.get(content)
    if (content === undefined || id === undefined || tokens.some((token) => token.content === content)) continue
    tokens.push({ id, content, special: true, lstrip: false, rstrip: false })
  }
  return tokens
}

function tokenText(token: unknown): string | undefined {
  if (typeof token === 'string') return token
  const content = (token as { content?: unknown } | null | undefined)?.content
  return typeof content === 'string' ? content : undefined
}

/** The ids that the tokenizer adds around a text, found by encoding one. */
function wrapping({ post_processor: wrap }: Steps, idOf: (token: string) => number | undefined): Wrapping {
  const text = '\u0000'
  const tokens = wrap ? wrap([text], null, true).tokens : [text]
  const at = tokens.indexOf(text)
  const ids = (some: readonly string[]) => some.flatMap((token) => idOf(token) ?? [])
  return at < 0 ? { before: [], after: [] } : { before: ids(tokens.slice(0, at)), after: ids(tokens.slice(at + 1)) }
}

type Wrapping = { before: number[]; after: number[] }

/** Classes of transformers whose config flags decide which ids surround a text, whatever the file says. */
const decidesByFlags = /^(?:Llama|CodeLlama|Gemma|Cohere|InternLM2)Tokenizer(?:Fast)?$/

function byFlags(ofFile: Wrapping, config: TokenizerConfig, { bos, eos }: { bos: number | undefined; eos: number | undefined }): Wrapping {
  if (typeof config.tokenizer_class !== 'string' || !decidesByFlags.test(config.tokenizer_class)) return ofFile
  const ids = (flag: unknown, id: number | undefined, otherwise: number[]) => {
    if (typeof flag !== 'boolean') return otherwise
    return flag && id !== undefined ? [id] : []
  }
  return { before: ids(config.add_bos_token, bos, ofFile.before), after: ids(config.add_eos_token, eos, ofFile.after) }
}

function hasType(config: unknown, type: string): boolean {
  if (typeof config !== 'object' || config === null) return false
  const { type: own, pretokenizers = [] } = config as { type?: string; pretokenizers?: unknown[] }
  return own === type || pretokenizers.some((one) => hasType(one, type))
}

function checkJson(json: unknown, name: string): TokenizerJson {
  const model = (json as { model?: unknown } | null | undefined)?.model
  if (typeof json === 'object' && json !== null && typeof model === 'object' && model !== null) return json as TokenizerJson
  throw new PromptError('bad-tokenizer', {
    where: name,
    problem: 'this is not a tokenizer.json: it has no model',
    fix: "give the tokenizer.json of the model's folder",
  })
}

function buildSteps(json: TokenizerJson, config: TokenizerConfig, { name, budget }: { name: string; budget: StepBudget }): Steps {
  try {
    const whole = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null, added_tokens: [], ...json }
    const model = ownModel(json.model, whole.added_tokens, budget)
    // The library's type declarations do not include its steps.
    if (model === undefined) return new Library(whole, config) as Steps
    const library = new Library({ ...whole, model: { type: 'BPE', vocab: {}, merges: [] } }, config) as Steps
    const { normalizer, pre_tokenizer, post_processor } = library
    return { normalizer, pre_tokenizer, post_processor, model }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PromptError('bad-tokenizer', {
      where: name,
      problem: `the tokenizer cannot be read (${reason})`,
      fix: 'check that the file is complete',
    })
  }
}

/** The models that we encode with ourselves; others are left to the library. */
function ownModel(model: unknown, addedTokens: readonly AddedTokenJson[], budget: StepBudget): TokenModel | undefined {
  if (isPlainBpe(model)) return bpeModel(model, addedTokens)
  return isUnigram(model) ? unigramModel(model, addedTokens, budget) : undefined
}
