import { fixed } from 'rolecall/internal/evaluation/run/record/round'
import { type Language, language, languageTags } from './language.ts'

/** The browser's regional variant of the current language: `en-GB` formats dates differently from `en-US`. */
export function localeFor(shown: Language, preferred: readonly string[]): string {
  return preferred.find((one) => one.toLowerCase().split('-')[0] === shown) ?? languageTags[shown]
}

type Formats = { locale: string; number: Intl.NumberFormat; date: Intl.DateTimeFormat; plural: Intl.PluralRules }
const made = new Map<Language, Formats>()

function formats(): Formats {
  const shown = language()
  let found = made.get(shown)
  if (!found) {
    const locale = localeFor(shown, typeof navigator === 'undefined' ? [] : navigator.languages)
    found = {
      locale,
      number: new Intl.NumberFormat(locale),
      date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
      plural: new Intl.PluralRules(locale),
    }
    made.set(shown, found)
  }
  return found
}

/** An integer with digit grouping: 12,345. */
export function showNumber(value: number): string {
  return formats().number.format(value)
}

/** A number with a fixed number of decimals, rounded as on the terminal. */
export function showDecimal(value: number, digits: number): string {
  return Number(fixed(value, digits)).toLocaleString(formats().locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** A date and time. A text that is none is shown as it is: records come from many programs. */
export function showDate(date: Date | string): string {
  const time = typeof date === 'string' ? new Date(date) : date
  return Number.isNaN(time.getTime()) ? String(date) : formats().date.format(time)
}

/** `1 row`, `2 rows`: for languages with two plural forms. */
export function counted(count: number, one: string, other: string): string {
  return `${showNumber(count)} ${formats().plural.select(count) === 'one' ? one : other}`
}
