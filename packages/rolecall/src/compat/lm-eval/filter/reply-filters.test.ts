import { describe, expect, test } from 'vitest'
import { isListValue, type Value } from '../../../../../core/src/base/python/values/value.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import { filterNamed } from './reply-filters.ts'

function apply(filter: string, replies: Value, doc = {}): Value {
  const { function: name, ...options } = Object.fromEntries(readYaml(`{${filter}}`, 'f.yaml') as Map<string, Value>)
  return filterNamed(String(name), new Map(Object.entries(options)), 'filter')({ replies, doc })
}

describe('filters', () => {
  test('select and count replies', () => {
    expect(apply('function: take_first', ['a', 'b'])).toBe('a')
    expect(apply('function: take_first_k, k: 2', ['a', 'b', 'c'])).toEqual(['a', 'b'])
    expect(apply('function: majority_vote', ['b', 'a', 'a', 'b'])).toEqual(['b'])
    expect(() => apply('function: take_first_k, k: 3', ['a'])).toThrow('3 replies are needed, but there are 1')
  })

  test('find the first non-empty group', () => {
    expect(apply('function: regex, regex_pattern: "(-?[$0-9.,]{2,})|(-?[0-9]+)", group_select: -1', ['10 and 7', 'none'])).toEqual([
      '7',
      '[invalid]',
    ])
    expect(apply('function: regex, regex_pattern: "is (x*)(y*)", fallback: no', ['is z'])).toEqual([false])
    expect(apply('function: regex, regex_pattern: "[0-9]+"', ['a 12 b 3'])).toEqual(['12'])
    expect(() => apply('function: regex, regex_pattern: a, group_select: 2', ['a'])).toThrow('there is no match 2, only 1')
  })

  test('map and transform texts', () => {
    expect(apply('function: map, mapping_dict: {yes: 1, 2: x}, default_value: 0', [true, 2, 'y'])).toEqual([1, 'x', 0])
    expect(apply('function: remove_whitespace', [' a '])).toEqual(['a'])
    expect(apply('function: uppercase', ['straße'])).toEqual(['STRASSE'])
  })

  test('find a choice by its text, longest first, or by its letter', () => {
    const yaml = 'function: multi_choice_regex, regex_pattern: "(\\\\([A-Z]\\\\))", ignore_case: true, ignore_punctuation: true'
    const doc = { choices: ['a mill', 'a mill-stone', 'owls'] }
    expect(apply(yaml, ['It is (B).', 'A Millstone!', 'Answer: C', 'nothing'], doc)).toEqual(['(B)', '(B)', '(C)', '[invalid]'])
    expect(() => apply(yaml, ['x'])).toThrow('documents have no list "choices"')
    const struct = { choices: { text: ['owls', 'mice'], label: ['A', 'B'] } }
    expect(apply(yaml, ['It is (D).', 'a label', 'owls'], struct)).toEqual(['(D)', '(B)', '[invalid]'])
  })

  test('parse names and tags', () => {
    expect(apply('function: format_span', ['PERSON: Ida, Tom $$ Location: none\nDate: May'])).toEqual(['per: ida $ per: tom $ date: may'])
    expect(apply('function: regex_pos', ["[('mill', 'NOUN'), ('is', 'VERB')]", 'x'])).toEqual([['NOUN', 'VERB'], '[invalid]'])
  })

  test('after take_first iterate over the characters of a text, as in the harness', () => {
    const found = apply('function: map, mapping_dict: {A: 0}, default_value: -1', 'AB')
    expect(isListValue(found) && found).toEqual([0, -1])
  })

  test('report unknown names and options', () => {
    expect(() => apply('function: regexp', ['a'])).toThrow('there is no filter "regexp". Did you mean "regex"?')
    expect(() => apply('function: regex, pattern: a', ['a'])).toThrow('the filter "regex" does not know it')
  })
})
