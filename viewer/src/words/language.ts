/** The languages of the interface, by their own names. */
export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

/** For `<html lang>`, screen readers and fonts. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' }

type Wishes = {
  /** What the link says. */
  linked?: string | undefined
  /** What the reader chose before. */
  kept?: string | undefined
  /** The languages of the browser, the best first. */
  preferred?: readonly string[]
}

/** The language to show: that of the link, else the one that was chosen before, else the first of the browser's that there is. */
export function chooseLanguage({ linked, kept, preferred = [] }: Wishes): Language {
  const wished = [linked, kept, ...preferred].map((one) => one?.toLowerCase().split('-')[0] ?? '')
  return wished.find(isLanguage) ?? 'en'
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name)
}

let current: Language = 'en'

/** The language that is shown now. The whole page is drawn anew when it changes, so that nobody has to hand it on. */
export function language(): Language {
  return current
}

export function setLanguage(next: Language): void {
  current = next
}

const key = 'rolecall.language'

export function keptLanguage(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function keepLanguage(chosen: Language): void {
  try {
    localStorage.setItem(key, chosen)
  } catch {
    // Without storage it is only not kept; the link still has it.
  }
}
