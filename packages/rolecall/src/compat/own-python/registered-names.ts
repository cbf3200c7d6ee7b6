import type { Value } from '@rolecall/core/internal/python'
import { Instance } from '../../python/interpreter/classes.ts'
import { isMutableDict } from '../../python/interpreter/containers.ts'
import { loadOnce } from '../../python/interpreter/import-package.ts'
import type { Session } from '../../python/interpreter/session.ts'

/** A decorator that enters something into a registry, and the class or function below it. */
const registration = /^@\w+\.register_module\(([^)]*)\)[^\n]*\n(?:(?:@|#|[ \t])[^\n]*\n)*(?:class|def)[ \t]+(\w+)/gm

/** A name that is put together where it is registered: `register_module(name='Part_' + index, …)`. */
const composedName = /\.register_module\(\s*name=(['"])(\w+)\1\s*\+/g

/** The code that a host reads. */
export type CodeFiles = {
  /** The text of a file of code: beside the config first, then in the checkout. */
  read(path: string): string | undefined
  /** The files of code that may register a class or function, users' own first. */
  codeFiles(): Iterable<string>
}

type Place = { file: string; name: string }

/** The classes and functions that files register, found in their text: a file is run when one of its names is asked for. */
export class RegisteredNames {
  #places: ReadonlyMap<string, Place> | undefined
  #composed: readonly { start: string; file: string }[] = []

  constructor(readonly sources: CodeFiles) {}

  find(session: Session, name: string): Value | undefined {
    const place = this.#all().get(name)
    if (place !== undefined) return loadOnce(session, place.file).names.get(place.name)
    // Names that are composed are known when the file has run.
    const file = this.#composed.find(({ start }) => name.startsWith(start))?.file
    if (file === undefined) return undefined
    loadOnce(session, file)
    const registries = [...(session.program?.modules.get('opencompass/registry.py')?.names.values() ?? [])]
    return registries.flatMap((registry) => {
      const entries = registry instanceof Instance ? registry.fields.get('module_dict') : undefined
      const found = entries !== undefined && isMutableDict(entries) ? entries.get(name) : undefined
      return found === undefined ? [] : [found]
    })[0]
  }

  /** By the name that they are registered under, which is their own if none is given; of two, the first. */
  #all(): ReadonlyMap<string, Place> {
    if (this.#places !== undefined) return this.#places
    const places = new Map<string, Place>()
    const composed: { start: string; file: string }[] = []
    for (const file of this.sources.codeFiles()) {
      const text = this.sources.read(file) ?? ''
      for (const [, , start = ''] of text.matchAll(composedName)) composed.push({ start, file })
      for (const [, given = '', name = ''] of text.matchAll(registration)) {
        const written = [...given.matchAll(/(['"])(.+?)\1/g)].map(([, , text]) => text!)
        for (const each of written.length > 0 ? written : [name]) if (!places.has(each)) places.set(each, { file, name })
      }
    }
    this.#composed = composed
    this.#places = places
    return places
  }
}
