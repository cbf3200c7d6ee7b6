import { PromptError } from '@rolecall/core/internal/errors'
import type { MetaTemplateConfig } from '@rolecall/core/internal/format'
import type { Layout, StopsAndPrefix } from './format-layout.ts'
import { type Abilities, type Loss, lossesOf } from './losses.ts'
import { startOf } from './write-layout.ts'

export type WrittenMeta = { config: MetaTemplateConfig; losses: Loss[] }

const abilities: Abilities = { language: 'a meta template', completeEnd: true, systemAnywhere: true }

/** Writes a layout as a meta template (OpenCompass, AISBench). */
export function writeMeta(layout: Layout, stopsAndPrefix: StopsAndPrefix): WrittenMeta {
  if (layout.writes === 'last-words')
    throw new PromptError('not-expressible', {
      where: layout.name,
      problem: 'the format writes only the last user message, but a meta template writes every turn',
      fix: 'use no meta template: a base model needs none',
    })
  const losses = lossesOf(layout, abilities)
  if (isPlain(layout)) return { config: {}, losses }
  const { turns, reply, complete } = layout
  const { begin, system } = openingOf(layout, losses)
  if (turns.assistant!.begin !== reply)
    losses.push({
      features: ['past-answer'],
      why: `a past answer begins with ${JSON.stringify(turns.assistant!.begin)} and the reply with ${JSON.stringify(reply)}, but a meta template has one text for both`,
    })
  const start = stopsAndPrefix.prefixIds.length === 0 ? begin : [...stopsAndPrefix.prefixIds, ...(begin === '' ? [] : [begin])]
  const eos = eosOf(stopsAndPrefix, turns.assistant!.end)
  const reserved = [...(system ? [{ role: 'SYSTEM', ...system }] : []), ...(turns.tool ? [{ role: 'tool', ...turns.tool }] : [])]
  return {
    losses,
    config: {
      ...(start === '' ? {} : { begin: start }),
      round: [
        { role: 'HUMAN', ...turns.user! },
        { role: 'BOT', begin: reply, end: turns.assistant!.end, generate: true },
      ],
      ...(complete === '' ? {} : { end: complete }),
      ...(reserved.length === 0 ? {} : { reserved_roles: reserved }),
      ...(eos.length === 0 ? {} : { eos_token_id: eos.length === 1 ? eos[0]! : eos }),
    },
  }
}

/** Turns joined by newlines, as without a meta template. */
function isPlain({ turns, absent, reply }: Layout): boolean {
  const isBare = Object.values(turns).every(({ begin, end }) => begin === '\n' && end === '')
  return isBare && !absent.withRole && absent.text === '' && reply === ''
}

/** The start of every prompt, and the system turn. A default system text leaves no place for another. */
function openingOf({ absent, system, turns }: Layout, losses: Loss[]): { begin: string; system?: { begin: string; end: string } } {
  if (!absent.withRole)
    losses.push({
      features: ['no-system'],
      why: 'the first turn has no start marker, but a meta template writes all turns alike',
    })
  if (system === undefined) return { begin: absent.text }
  if (system.place === 'anywhere') {
    const start = startOf(system.before, turns.system!.begin)
    if (start === absent.text) return { begin: start, system: turns.system! }
  } else if (system.withRole && system.before.startsWith(absent.text) && system.before.length + system.after.length > absent.text.length)
    return { begin: absent.text, system: { begin: system.before.slice(absent.text.length), end: system.after } }
  losses.push({
    features: ['system'],
    why: system.withRole
      ? 'the format has a default system text, which is in the meta template’s begin, so there is no place for another'
      : 'the first turn after a system message has no start marker, but a meta template writes all turns alike',
  })
  return { begin: absent.text }
}

/** Stops, without the end of the assistant's turn, which is one already. */
function eosOf({ stopIds, stopTokens, stopTexts }: StopsAndPrefix, end: string): (string | number)[] {
  const texts = stopTexts.filter((text) => text !== end.trimEnd() && text !== '')
  return [...new Set([...stopIds, ...stopTokens, ...texts])]
}
