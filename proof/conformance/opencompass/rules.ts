import { dictEntries, dictGet, dictHas, dictKeys, pyStr } from '../../../packages/core/src/base/python/index.ts'
import type { OpenCompassRuleName } from '../rules/opencompass.ts'
import type { ChatRowRuleName, ChatRuleName } from './chat.ts'
import type { PipelineVector, TemplateJson, TurnJson } from './vector.ts'

/** The rules of OpenCompass that apply to a vector's input. They look only at config and rows, never at results. */
export function rulesOf(vector: PipelineVector): PipelineRuleName[] {
  const input = readInput(vector)
  return (Object.keys(conditions) as PipelineRuleName[]).filter((rule) => conditions[rule](input))
}

type Dialogue = {
  begin: (string | TurnJson)[]
  round: (string | TurnJson)[]
  end: (string | TurnJson)[]
  hasEnd: boolean
  lacksRound: boolean
  strings: string[]
}

type Input = {
  vector: PipelineVector
  /** The prompt's template, or the ice_template if there is no other. */
  prompt: TemplateJson
  /** The dialogues that this vector renders: the prompt's (or its label's) and those of the examples, if any. */
  dialogues: Dialogue[]
  promptDialogue: Dialogue | undefined
  promptIsString: boolean
  hasExamples: boolean
  meta: Meta | undefined
  metaList: boolean
  api: boolean
  generates: boolean
}

type Meta = { begin?: unknown; end?: unknown; round?: (string | TurnJson)[]; reserved_roles?: TurnJson[]; [key: string]: unknown }

function readInput(vector: PipelineVector): Input {
  const prompt = vector.promptTemplate ?? vector.iceTemplate ?? {}
  const template = labelOf(prompt.template, vector)
  const promptDialogue = asDialogue(template)
  const hasExamples = vector.iceEntries.length > 0
  const ice = hasExamples ? examplesOf(vector) : []
  const meta = isObject(vector.metaTemplate) && Object.keys(vector.metaTemplate).length > 0 ? (vector.metaTemplate as Meta) : undefined
  return {
    vector,
    prompt,
    dialogues: [...(promptDialogue ? [promptDialogue] : []), ...ice.flatMap((one) => asDialogue(one) ?? [])],
    promptDialogue,
    promptIsString: typeof template === 'string',
    hasExamples,
    meta,
    metaList: Array.isArray(vector.metaTemplate),
    api: vector.model === 'api',
    generates: vector.mode === 'gen',
  }
}

/** Chats use separate operations: see `chat.ts`. Vectors name no class of a server. */
type PipelineRuleName = Exclude<OpenCompassRuleName, ChatRuleName | ChatRowRuleName | 'typesetting-slip'>

const conditions: Record<PipelineRuleName, (input: Input) => boolean> = {
  'data-reexpanded': ({ vector, prompt }) => {
    const rows = [vector.entry, ...vector.iceEntries]
    const values = [...rows.flatMap((row) => dictEntries(row).map(([, value]) => pyStr(value))), vector.genFieldReplaceToken ?? '']
    const tokens = [...Object.values(prompt.column_token_map ?? {}), ...(prompt.sep_token ? [prompt.sep_token] : [])]
    const names = new Set(rows.flatMap(dictKeys))
    const inValues = values.some((value) => /[{}]/.test(value) || tokens.some((token) => value.includes(token)))
    const aroundFields = allStrings([vector.promptTemplate, vector.iceTemplate]).some((text) =>
      [...names].some((name) => text.includes(`{{${name}}`) || text.includes(`{${name}}}`)),
    )
    // The reference fills examples again with the evaluated row, so a field that only that row has changes, too.
    const shots = allStrings(vector.iceTemplate)
    const onlyAsked = vector.iceEntries.some((row) =>
      dictKeys(vector.entry).some((name) => !dictHas(row, name) && shots.some((text) => text.includes(`{${name}}`))),
    )
    return inValues || aroundFields || onlyAsked
  },
  'turn-affixes-dropped': ({ meta, metaList, dialogues }) =>
    meta?.round === undefined &&
    !metaList &&
    dialogues.some((dialogue) => turnsOf(dialogue).some((turn) => 'begin' in turn || 'end' in turn)),
  'default-prompt-unfilled': ({ meta }) => rolesOf(meta).some((role) => typeof role.prompt === 'string' && role.prompt.includes('{')),
  'string-in-round': ({ meta, api, dialogues }) =>
    meta !== undefined && !api && dialogues.some((dialogue) => dialogue.round.some((item) => typeof item === 'string')),
  'api-string-dropped': ({ api, meta, dialogues, prompt, vector, hasExamples }) => {
    const inMessages =
      Array.isArray(prompt.messages) &&
      (prompt.messages.some((message) => typeof message === 'string' && message !== (prompt.ice_token ?? '</E>')) ||
        meta?.begin !== undefined)
    const strings = dialogues.some((dialogue) =>
      [...dialogue.begin, ...dialogue.round, ...dialogue.end].some((item) => typeof item === 'string'),
    )
    const examplesAsText = hasExamples && typeof examplesOf(vector)[0] === 'string'
    return inMessages || (api && meta !== undefined && (strings || examplesAsText || meta.end !== undefined))
  },
  'reserved-role-in-round': ({ api, meta, dialogues }) =>
    api && dialogues.some((dialogue) => dialogue.round.some((item) => isObject(item) && reservedNames(meta).includes(String(item.role)))),
  'ice-token-unused': ({ hasExamples, prompt, vector, promptDialogue }) => {
    if (!hasExamples) return false
    if (Array.isArray(prompt.messages)) {
      const place = prompt.messages.includes(prompt.ice_token ?? '</E>')
      return !place || !Array.isArray(vector.iceTemplate?.messages)
    }
    const { ice_token: token } = prompt
    return promptDialogue !== undefined && typeof token === 'string' && !promptDialogue.strings.some((text) => text.includes(token))
  },
  'messages-unmasked': ({ generates, prompt, vector }) => generates && Array.isArray(prompt.messages) && vector.outputColumn !== null,
  'parts-unfilled': ({ prompt, vector }) =>
    [prompt, vector.iceTemplate].some(
      (template) =>
        Array.isArray(template?.messages) && template.messages.some((message) => isObject(message) && Array.isArray(message.content)),
    ),
  'messages-examples-dropped': ({ generates, prompt, hasExamples }) => !generates && Array.isArray(prompt.messages) && hasExamples,
  'expand-column-ignored': ({ prompt, vector }) =>
    Array.isArray(prompt.messages) &&
    prompt.messages.some(
      (message) => isObject(message) && 'expand_column' in message && !Array.isArray(dictGet(vector.entry, String(message.expand_column))),
    ),
  'empty-round': ({ vector, meta }) => meta?.round?.length === 0 || dialoguesIn(vector).some((dialogue) => dialogue.round.length === 0),
  'unknown-key': ({ dialogues, meta }) =>
    dialogues.some((dialogue) =>
      turnsOf(dialogue).some((turn) => hasOther(turn, ['role', 'fallback_role', 'prompt', 'begin', 'end', 'generate'])),
    ) ||
    (meta !== undefined && hasOther(meta, ['begin', 'round', 'end', 'reserved_roles', 'eos_token_id'])) ||
    rolesOf(meta).some((role) => hasOther(role, ['role', 'begin', 'end', 'prompt', 'generate', 'api_role'])),
  'missing-role': ({ dialogues }) => dialogues.some((dialogue) => turnsOf(dialogue).some((turn) => !('role' in turn))),
  'unread-mistake': ({ prompt }) =>
    isObject(prompt.template) && Object.values(prompt.template).some(Array.isArray) && asDialogue(prompt.template) === undefined,
  'empty-ice-token': ({ vector }) => vector.promptTemplate?.ice_token === '' || vector.iceTemplate?.ice_token === '',
  'api-role-unknown': ({ api, meta }) =>
    api &&
    rolesOf(meta).some((role) => !['HUMAN', 'BOT', 'SYSTEM', 'user', 'assistant', 'system', undefined].includes(role.api_role as string)),
  'dataset-end': ({ promptDialogue, meta }) => promptDialogue?.hasEnd === true && meta !== undefined,
  'ice-token-per-string': ({ vector }) =>
    [vector.promptTemplate, vector.iceTemplate].some((template) => {
      const dialogue = asDialogue(template?.template)
      const token = template?.ice_token
      if (!dialogue || !token) return false
      const parts = template.template as Record<string, unknown>
      const without = Object.values(parts).some((part) => typeof part === 'string' && !part.includes(token))
      return without && dialogue.strings.some((text) => text.includes(token))
    }),
  'ice-template-alone': ({ vector }) =>
    vector.promptTemplate === null && vector.iceTemplate !== null && !vector.iceTemplate.ice_token && vector.iceEntries.length === 0,
  'fallback-role-in-round': ({ meta, dialogues }) => {
    const inRound = roundOf(meta).flatMap((role) => (isObject(role) ? [String(role.role)] : []))
    const known = [...inRound, ...reservedNames(meta)]
    return dialogues.some((dialogue) =>
      dialogue.round.some(
        (item) =>
          isObject(item) &&
          !inRound.includes(String(item.role)) &&
          (known.includes(String(item.role)) || known.includes(String(item.fallback_role))),
      ),
    )
  },
  'meta-round-optional': ({ meta }) => meta !== undefined && !('round' in meta),
  'dialogue-round-optional': ({ prompt, vector }) =>
    [prompt.template, labelOf(prompt.template, vector)].some((template) => asDialogue(template)?.lacksRound),
  'token-lists': ({ meta, api, dialogues }) =>
    !api &&
    (isAffixList(meta?.begin) ||
      isAffixList(meta?.end) ||
      rolesOf(meta).some((role) => isAffixList(role.begin) || isAffixList(role.end)) ||
      dialogues.some((dialogue) => turnsOf(dialogue).some((turn) => isAffixList(turn.begin) || isAffixList(turn.end)))),
  'generating-role-in-begin': ({ api, generates, meta, promptDialogue }) => {
    const generating = rolesOf(meta).flatMap((role) => (role.generate ? [String(role.role)] : []))
    const speakers = [...(promptDialogue?.begin ?? []), ...(promptDialogue?.end ?? [])].filter(isObject)
    return (
      api &&
      generates &&
      speakers.some(
        (turn) => turn.generate === true || generating.includes(String(turn.role)) || generating.includes(String(turn.fallback_role)),
      )
    )
  },
  'messages-for-language-models': ({ prompt, api }) => Array.isArray(prompt.messages) && !api,
  'dialogue-labels': ({ vector, generates, prompt }) =>
    !generates && vector.comparesLabels === true && asDialogue(prompt.template) !== undefined,
  'separator-counted': ({ vector, prompt }) => vector.normalizingStr != null && vector.maxSeqLen != null && Boolean(prompt.sep_token),
  'ppl-without-ice-token': ({ vector, generates, prompt }) => !generates && vector.group === 'openicl' && !prompt.ice_token,
}

/** All dialogues of a vector's templates, rendered or not, because the default checks the whole config. */
function dialoguesIn({ promptTemplate, iceTemplate }: PipelineVector): Dialogue[] {
  return [promptTemplate?.template, iceTemplate?.template].flatMap((template) => {
    const own = asDialogue(template)
    if (own || !isObject(template)) return own ? [own] : []
    return Object.values(template).flatMap((label) => asDialogue(label) ?? [])
  })
}

/** The template of the given label; a generative prompt uses the first. */
function labelOf(template: unknown, { mode, label }: PipelineVector): unknown {
  if (!isObject(template) || asDialogue(template)) return template
  return mode === 'gen' ? Object.values(template)[0] : template[String(label)]
}

/** The templates that render a vector's examples. */
function examplesOf({ iceTemplate, iceEntries, outputColumn }: PipelineVector): unknown[] {
  const template = iceTemplate?.template
  if (!isObject(template) || asDialogue(template)) return [template]
  return iceEntries.map((row) => template[pyStr(dictGet(row, outputColumn ?? ''))])
}

function asDialogue(template: unknown): Dialogue | undefined {
  if (!isObject(template) || hasOther(template, ['begin', 'round', 'end'])) return undefined
  const list = (part: unknown) => (part === undefined ? [] : Array.isArray(part) ? part : [part]) as (string | TurnJson)[]
  return {
    begin: list(template.begin),
    round: list(template.round),
    end: list(template.end),
    hasEnd: 'end' in template,
    lacksRound: !('round' in template) && Object.keys(template).length > 0,
    strings: allStrings(template),
  }
}

function turnsOf({ begin, round, end }: Dialogue): TurnJson[] {
  return [...begin, ...round, ...end].filter(isObject)
}

function rolesOf(meta: Meta | undefined): TurnJson[] {
  return [...roundOf(meta), ...(Array.isArray(meta?.reserved_roles) ? meta.reserved_roles : [])].filter(isObject)
}

function roundOf(meta: Meta | undefined): (string | TurnJson)[] {
  return Array.isArray(meta?.round) ? meta.round : []
}

function reservedNames(meta: Meta | undefined): string[] {
  return Array.isArray(meta?.reserved_roles) ? meta.reserved_roles.map((role) => String(role.role)) : []
}

function isAffixList(part: unknown): boolean {
  return Array.isArray(part) && part.every((entry) => typeof entry === 'string' || Number.isInteger(entry))
}

function hasOther(value: object, known: readonly string[]): boolean {
  return Object.keys(value).some((key) => !known.includes(key))
}

function allStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allStrings) : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
