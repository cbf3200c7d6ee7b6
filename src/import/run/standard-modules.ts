import { builtins } from './builtins.ts'
import { deepCopy, shallowCopy } from './copy.ts'
import { makeCollections } from './modules/collections.ts'
import { defineModule, native } from './modules/define-module.ts'
import { functools } from './modules/functools.ts'
import { itertools } from './modules/itertools.ts'
import { json } from './modules/json.ts'
import { math } from './modules/math.ts'
import { os, osPath } from './modules/os.ts'
import { pathlib } from './modules/pathlib.ts'
import { re } from './modules/re.ts'
import type { ModuleValue } from './values.ts'

/** What configs use of Python's own modules. Nothing here looks at the machine: no environment, no clock, no disk outside the root. */
export function standardModule(name: string): ModuleValue | undefined {
  modules ??= makeModules()
  return modules.get(name)
}

// Made when first asked for: the built-in functions and this table know each other.
let modules: ReadonlyMap<string, ModuleValue> | undefined

function makeModules(): ReadonlyMap<string, ModuleValue> {
  const copy = defineModule('copy', {
    deepcopy: native('deepcopy', (session, args) => deepCopy(session, args[0]!)),
    copy: native('copy', (session, args) => shallowCopy(session, args[0]!)),
  })
  const string = defineModule('string', {
    ascii_uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    ascii_lowercase: 'abcdefghijklmnopqrstuvwxyz',
    ascii_letters: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    digits: '0123456789',
    hexdigits: '0123456789abcdefABCDEF',
    punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    whitespace: ' \t\n\r\v\f',
  })
  // A ConfigDict is a dict whose keys are attributes, too, as all dicts of configs are here.
  const mmengine = ['mmengine', 'mmengine.config'].map((name) => defineModule(name, { ConfigDict: builtins.get('dict')! }))
  const all = [copy, makeCollections(), functools, itertools, json, math, os, osPath, pathlib, re, string, ...mmengine]
  return new Map(all.map((made) => [made.name, made]))
}
