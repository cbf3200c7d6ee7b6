import { PromptError } from '@rolecall/core/internal/errors'
import { quoteGo } from '@rolecall/core/internal/go-template'
import type { Layout, Opening, StopsAndPrefix } from './format-layout.ts'
import { type Abilities, type Loss, lossesOf } from './losses.ts'
import { startOf } from './write-layout.ts'

export type WrittenOllama = { template: string; modelfile: string; losses: Loss[] }

const abilities: Abilities = {
  language: 'Ollama',
  systemAnywhere: true,
  emptySystem: true,
  noReplyAfterAnswer: true,
  completeEnd: true,
  joinsNeighbours: true,
  systemJoint: '\n\n',
}

/** Writes a layout as an Ollama Modelfile: a Go template over the messages, and the stops. */
export function writeOllama(layout: Layout, stopsAndPrefix: StopsAndPrefix): WrittenOllama {
  if (layout.writes === 'last-words')
    throw new PromptError('not-expressible', {
      where: layout.name,
      problem: 'the format writes only the last user message, but Ollama renders every message',
      fix: 'use `raw: true` in its API, which sends the prompt unchanged',
    })
  const template = writeTemplate(layout)
  const losses = lossesOf(layout, abilities)
  const { neighbours } = layout
  if (neighbours === 'separate' || (typeof neighbours === 'object' && neighbours.joint !== '\n\n'))
    losses.push({
      features: ['neighbours'],
      why: 'Ollama joins consecutive messages of one role with an empty line before rendering',
    })
  if (layout.tools === 'refused' || layout.tools === 'left-out')
    losses.push({ features: ['tools'], why: 'Ollama does not support tools with this template' })
  const stops = [...new Set([...stopsAndPrefix.stopTexts, ...stopsAndPrefix.stopTokens])]
  const modelfile = [
    '# FROM ./model.gguf',
    `TEMPLATE """${template}"""`,
    ...stops.map((stop) => `PARAMETER stop ${quoteGo(stop)}`),
    '',
  ].join('\n')
  return { template, modelfile, losses }
}

const write = (text: string) => (text === '' ? '' : `{{ ${quoteGo(text)} }}`)

function writeTemplate(layout: Layout): string {
  const { turns, absent, system, reply } = layout
  const spoken = Object.entries(turns).filter(([role]) => role !== 'system')
  const roles = spoken.map(([role, { begin, end }], index) => {
    const close = role === 'assistant' && end !== '' ? `{{ if not $last }}${write(end)}{{ end }}` : write(end)
    return `{{- ${index === 0 ? 'if' : 'else if'} eq $message.Role "${role}" }}${beginOf(layout, begin)}{{ $message.Content }}${close}`
  })
  const lines = [
    '{{- range $index, $message := .Messages }}',
    '{{- $last := eq (len (slice $.Messages $index)) 1 }}',
    ...(absent.text === '' ? [] : [`{{- if and (eq $index 0) (ne $message.Role "system") }}${write(absent.text)}{{ end }}`]),
    ...roles,
    ...(system === undefined ? [] : [`{{- else if eq $message.Role "system" }}${systemOf(layout)}`]),
    '{{- end }}',
    `{{- if and $last (ne $message.Role "assistant") }}${write(reply)}{{ end }}`,
    '{{- end }}',
  ]
  return lines.join('\n')
}

/** A system message; if it may be anywhere, later ones start differently. */
function systemOf({ system, turns }: Layout): string {
  const { before, after, empty, place } = system!
  const start = place === 'anywhere' ? startOf(before, turns.system!.begin) : ''
  const begin = start === '' ? write(before) : `{{ if eq $index 0 }}${write(start)}{{ end }}${write(turns.system!.begin)}`
  const given = `${begin}{{ $message.Content }}${write(after)}`
  return empty === undefined ? given : `{{ if $message.Content }}${given}{{ else }}${write(empty.text)}{{ end }}`
}

/** The start of a turn, which the first one may lack. */
function beginOf({ absent, system }: Layout, begin: string): string {
  if (begin === '') return ''
  const lacks = (opening: Pick<Opening, 'withRole'> | undefined) => opening !== undefined && !opening.withRole
  const conditions = [
    ...(lacks(absent) ? ['(eq $index 0)'] : []),
    ...(lacks(system) ? ['(and (eq $index 1) (eq (index $.Messages 0).Role "system"))'] : []),
  ]
  if (conditions.length === 0) return write(begin)
  return `{{ if not ${conditions.length === 1 ? conditions[0] : `(or ${conditions.join(' ')})`} }}${write(begin)}{{ end }}`
}
