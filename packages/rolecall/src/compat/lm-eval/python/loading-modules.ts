import type { Kwargs, Value } from '@rolecall/core/internal/python'
import { notUnderstood, parseJson } from '@rolecall/core/internal/python'
import { itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { toMutable } from '../../../python/interpreter/convert.ts'
import { defineModule, native, numberOf, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { Scope } from '../../../python/interpreter/scope.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { type ModuleValue, NativeObject } from '../../../python/interpreter/values.ts'
import { FixedObject } from './fixed-object.ts'
import { LoadingFunction, Needed, PackageNeeded, type Provided, type TaskTokenizer } from './provided.ts'
import { transformersMetrics } from './squad-metric.ts'

/** What a tokenizer of `transformers` returns for a text. */
class BatchEncoding extends NativeObject {
  readonly typeName = 'BatchEncoding'

  constructor(readonly ids: readonly number[]) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === 'input_ids') return session.made([...this.ids])
    return name === 'attention_mask' ? session.made(this.ids.map(() => 1)) : undefined
  }

  override item(session: Session, key: Value): Value {
    return this.attribute(session, textOf(key)) ?? null
  }
}

/** A tokenizer of `transformers`. */
class TokenizerValue extends NativeObject {
  readonly typeName = 'PreTrainedTokenizerFast'
  readonly #encode: ReturnType<typeof native>
  readonly #call: ReturnType<typeof native>
  readonly #decode: ReturnType<typeof native>

  constructor(tokenizer: TaskTokenizer) {
    super()
    const ids = (session: Session, text: Value | undefined, kwargs: Kwargs) => {
      session.step(textOf(text).length)
      return [...tokenizer.encode(textOf(text), { special: kwargs?.get('add_special_tokens') !== false })]
    }
    this.#encode = native('encode(text, *, add_special_tokens=True)', (session, [text], kwargs) => session.made(ids(session, text, kwargs)))
    this.#call = native('tokenizer(text, *, add_special_tokens=True)', (session, [text], kwargs) => {
      return new BatchEncoding(ids(session, text, kwargs))
    })
    this.#decode = native('decode(token_ids)', (session, [given]) => {
      return session.made(tokenizer.decode(itemsOf(session, given!).map((id) => numberOf(id))))
    })
  }

  attribute(_: Session, name: string): Value | undefined {
    return name === 'encode' ? this.#encode : name === 'decode' ? this.#decode : undefined
  }

  override call(session: Session, args: readonly Value[], kwargs: Kwargs, scope: Scope): Value {
    return this.#call.call(session, args, kwargs, scope)
  }
}

function makeTransformers(provided: Provided): ModuleValue {
  const load = native('from_pretrained(pretrained_model_name_or_path, *inputs, **kwargs)', (_, [name]) => {
    const tokenizer = provided.tokenizer(textOf(name))
    if (tokenizer === undefined) throw new Needed({ tokenizer: textOf(name) })
    return new TokenizerValue(tokenizer)
  })
  return defineModule('transformers', {
    AutoTokenizer: new FixedObject('AutoTokenizer', { from_pretrained: new LoadingFunction(load, 'tokenizer') }),
    data: defineModule('transformers.data', { metrics: transformersMetrics }),
  })
}

/** `requests.get` of a file, which has been read before. */
function makeRequests(provided: Provided): ModuleValue {
  const get = native('get(url, *, timeout=None)', (_, [url]) => {
    const text = provided.page(textOf(url))
    if (text === undefined) throw new Needed({ page: textOf(url) })
    return new FixedObject('Response', {
      text,
      ok: true,
      status_code: 200,
      raise_for_status: native('raise_for_status()', () => null),
      json: native('json()', (session) => {
        session.step(text.length >> 2)
        return toMutable(session, parseJson(text))
      }),
    })
  })
  return defineModule('requests', { get: new LoadingFunction(get, 'page') })
}

/** The word lists of wonderwords by category, as `RandomWord()` holds them. */
function makeWonderwords(provided: Provided): ModuleValue {
  return defineModule('wonderwords', {
    RandomWord: native('RandomWord()', (session) => {
      const lists = ['noun', 'verb', 'adjective'].map((category): [string, Value] => {
        if (provided.packageFile === undefined)
          throw notUnderstood(session.at, 'wonderwords while replies are scored', 'use it in custom_dataset')
        const text = provided.packageFile(`wonderwords/assets/${category}list.txt`)
        if (text === undefined) throw new PackageNeeded('wonderwords')
        return [category, session.made([...text.replace(/\n$/, '').split('\n')].map((word) => word.trimEnd()))]
      })
      // Both spellings are the same list.
      const categories = newDict(session, [...lists, ...lists.map(([category, words]) => [`${category}s`, words] as const)])
      return new FixedObject('RandomWord', { _categories: categories, parts_of_speech: categories })
    }),
  })
}

/** Modules whose functions get tokenizers, files and word lists from outside. */
export function loadingModules(provided: Provided): ModuleValue[] {
  return [makeTransformers(provided), makeRequests(provided), makeWonderwords(provided)]
}
