import type { ColumnQuestion, ModelSettings, TokenizerSource } from '../engine/contract.ts'
import type { LabColumn, LabState } from '../lab-state.ts'
import { labModel, settingsOf } from './catalog.ts'

/** Tokenizers of dropped files, by the id of their model: they stay in this page. */
const dropped = new Map<string, TokenizerSource>()

export function keepTokenizer(id: string, tokenizer: TokenizerSource): void {
  dropped.set(id, tokenizer)
}

/** The vocabularies that this site has; asked once, before the first prompt. */
let vocabularies: Promise<readonly string[]> | undefined

function siteVocabularies(): Promise<readonly string[]> {
  vocabularies ??= (async () => {
    if (location.protocol === 'file:') return []
    const response = await fetch(new URL('lab/tokenizers/index.json', document.baseURI))
    return response.ok ? ((await response.json()) as readonly string[]) : []
  })().catch(() => [])
  return vocabularies
}

/** What the engine is asked for each column. */
export async function columnQuestions({ columns, own, variables }: LabState): Promise<ColumnQuestion[]> {
  return Promise.all(
    columns.map(async (column): Promise<ColumnQuestion> => {
      const mine = own.find(({ id }) => id === column.model)
      const bundled = labModel(column.model)
      const settings = mine?.settings ?? (bundled ? await settingsOf(bundled) : {})
      const tokenizer = dropped.get(column.model) ?? (bundled && !mine ? await siteTokenizer(bundled.vocabulary) : undefined)
      return {
        name: mine?.name ?? bundled?.name ?? column.model,
        settings: changedBy(settings, column),
        variables: { ...variables, ...column.variables },
        ...(tokenizer === undefined ? {} : { tokenizer }),
      }
    }),
  )
}

function changedBy(settings: ModelSettings, { engine, template, roles }: LabColumn): ModelSettings {
  const isTemplate = settings.chat_template !== undefined
  return {
    ...settings,
    ...(template === undefined ? {} : isTemplate ? { chat_template: template } : { config: template }),
    ...(engine === undefined || !isTemplate ? {} : { parts: engine }),
    ...(roles === undefined ? {} : { roles }),
  }
}

async function siteTokenizer(vocabulary: string | undefined): Promise<TokenizerSource | undefined> {
  if (vocabulary === undefined) return undefined
  if (vocabulary === 'embedded') return location.protocol === 'file:' ? undefined : { kind: 'embedded', name: 'tiny-chat' }
  const isHere = (await siteVocabularies()).includes(vocabulary)
  return isHere ? { kind: 'url', name: vocabulary, url: `lab/tokenizers/${vocabulary}.json.gz` } : undefined
}
