/** The languages of the interface, by their own names. */
export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

/** For `<html lang>`, screen readers and fonts. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' }

type LanguagePreferences = {
  /** The language in the link. */
  linked?: string | undefined
  /** The stored choice. */
  kept?: string | undefined
  /** The browser's languages, by preference. */
  preferred?: readonly string[]
}

/** The language to show: that of the link, else the stored choice, else the first supported one of the browser. */
export function chooseLanguage({ linked, kept, preferred = [] }: LanguagePreferences): Language {
  const wished = [linked, kept, ...preferred].map((one) => one?.toLowerCase().split('-')[0] ?? '')
  return wished.find(isLanguage) ?? 'en'
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name)
}

let current: Language = 'en'

/** The current language. A change re-renders the whole page, so it need not be passed around. */
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
    // Without storage, only the link keeps it.
  }
}
