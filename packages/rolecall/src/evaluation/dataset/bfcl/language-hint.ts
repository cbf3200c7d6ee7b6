import {
  dictEntries,
  dictFromEntries,
  dictGet,
  isDict,
  type PyDict,
  type PyValue,
  pyStr,
  stringifyJson,
} from '@rolecall/core/internal/python'
import { badFunction } from './openapi-types.ts'

type Language = { name: string; syntax: string; lists: readonly string[]; dicts: readonly string[] }

const java: Language = { name: 'Java', syntax: 'Java 8 SDK', lists: ['ArrayList', 'Array'], dicts: [] }
const javascript: Language = { name: 'JavaScript', syntax: 'JavaScript', lists: ['array'], dicts: ['dict'] }

function languageOf(category: string): Language | undefined {
  if (category.includes('javascript')) return javascript
  return category.includes('java') ? java : undefined
}

/**
 * Functions with the leaderboard's additions to their documentation: the language in which calls are expected.
 * Parameters of Java and JavaScript are strings, whose descriptions give the type.
 */
export function withLanguageHint(functions: readonly PyValue[], category: string): PyDict[] {
  const language = languageOf(category)
  const hint = ` Note that the provided function is in ${language?.syntax ?? 'Python 3'} syntax.`
  return functions.map((given, index) => {
    const where = `function[${index}]`
    const description = isDict(given) ? dictGet(given, 'description') : undefined
    if (!isDict(given) || typeof description !== 'string') throw badFunction(where, 'the function has no description')
    const hinted = new Map(dictEntries(given)).set('description', description + hint)
    if (language) hinted.set('parameters', asTexts(hinted.get('parameters'), language, where))
    return dictFromEntries(hinted)
  })
}

function asTexts(parameters: PyValue | undefined, language: Language, where: string): PyDict {
  const properties = isDict(parameters) ? dictGet(parameters, 'properties') : undefined
  if (!isDict(parameters) || !isDict(properties)) throw badFunction(where, 'the function has no parameters')
  const texts = dictEntries(properties).map(([name, value]) => [name, asText(value, language, `${where}.${name}`)] as const)
  return dictFromEntries(new Map(dictEntries(parameters)).set('properties', dictFromEntries(texts)))
}

function asText(given: PyValue, { name, lists, dicts }: Language, where: string): PyDict {
  const type = isDict(given) ? dictGet(given, 'type') : undefined
  const description = isDict(given) ? dictGet(given, 'description') : undefined
  if (!isDict(given) || typeof type !== 'string' || typeof description !== 'string') {
    throw badFunction(where, 'the parameter has no type, or no description')
  }
  const text = new Map(dictEntries(given)).set('type', 'string')
  let hint = type === 'any' ? ` This parameter can be of any type of ${name} object` : ` This is ${name} ${type} type parameter`
  hint += ' in string representation.'
  if (lists.includes(type)) {
    const items = text.get('items')
    const element = isDict(items) ? dictGet(items, 'type') : undefined
    if (element === undefined) throw badFunction(where, 'the list does not say of what')
    hint += ` The list elements are of type ${pyStr(element)}; they are not in string representation.`
    text.delete('items')
  }
  const properties = text.get('properties')
  if (dicts.includes(type) && properties !== undefined) {
    hint += ` The dictionary entries have the following schema; they are not in string representation. ${stringifyJson(properties)}`
    text.delete('properties')
  }
  return dictFromEntries(text.set('description', description + hint))
}
