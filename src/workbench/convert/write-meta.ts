import { PromptError } from '../../base/errors/prompt-error.ts'
import type { MetaTemplateConfig } from '../../prompt/format/meta/meta-template-schema.ts'
import type { Besides, Layout } from './layout.ts'
import { type Abilities, type Loss, lossesOf } from './losses.ts'
import { startOf } from './write-layout.ts'

export type WrittenMeta = { config: MetaTemplateConfig; losses: Loss[] }

const abilities: Abilities = { language: 'a meta template', completeEnd: true, systemAnywhere: true }

/** A layout as a meta template of a language model (OpenCompass, AISBench). */
export function writeMeta(layout: Layout, besides: Besides): WrittenMeta {
  if (layout.writes === 'last-words')
    throw new PromptError('not-expressible', {
      where: layout.name,
      problem: 'it writes only what the user says last, and a meta template writes every turn',
      fix: 'leave the meta template out: a base model needs none',
    })
  const losses = lossesOf(layout, abilities)
  if (isPlain(layout)) return { config: {}, losses }
  const { turns, reply, complete } = layout
  const { begin, system } = openingOf(layout, losses)
  if (turns.assistant!.begin !== reply)
    losses.push({
      features: ['past-answer'],
      why: `a past answer begins with ${JSON.stringify(turns.assistant!.begin)} and the reply with ${JSON.stringify(reply)}, which are one text in a meta template`,
    })
  const start = besides.prefixIds.length === 0 ? begin : [...besides.prefixIds, ...(begin === '' ? [] : [begin])]
  const eos = eosOf(besides, turns.assistant!.end)
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

/** Turns joined by newlines: what is written without a meta template. */
function isPlain({ turns, absent, reply }: Layout): boolean {
  const isBare = Object.values(turns).every(({ begin, end }) => begin === '\n' && end === '')
  return isBare && !absent.withRole && absent.text === '' && reply === ''
}

/** What every prompt begins with, and the system's turn. A system text of the format's own leaves no place for another. */
function openingOf({ absent, system, turns }: Layout, losses: Loss[]): { begin: string; system?: { begin: string; end: string } } {
  if (!absent.withRole)
    losses.push({
      features: ['no-system'],
      why: 'the first turn is written without its beginning, and a meta template writes all turns alike',
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
      ? 'the format has a system text of its own, which stands in the meta template’s begin, so that there is no place for another'
      : 'the first turn behind a system text is written without its beginning, and a meta template writes all turns alike',
  })
  return { begin: absent.text }
}

/** How the assistant's turn ends is a stop already. */
function eosOf({ stopIds, stopTokens, stopTexts }: Besides, end: string): (string | number)[] {
  const texts = stopTexts.filter((text) => text !== end.trimEnd() && text !== '')
  return [...new Set([...stopIds, ...stopTokens, ...texts])]
}
