import { none, PairMap } from './pair-map.ts'

/** Finds which of many texts occur at a position of another, walking it unit by unit (UTF-16). Node 0 is the root. */
export class Trie {
  readonly #children = new PairMap()
  readonly #ids: Int32Array

  constructor(entries: Iterable<readonly [text: string, id: number]>) {
    const ids = [none]
    for (const [text, id] of entries) {
      let node = 0
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at)
        let child = this.child(node, unit)
        if (child === none) {
          child = ids.push(none) - 1
          this.#children.set(node, unit, child)
        }
        node = child
      }
      ids[node] = id
    }
    this.#ids = Int32Array.from(ids)
  }

  get isEmpty(): boolean {
    return this.#ids.length === 1
  }

  /** The node that a unit leads to, or `none`. */
  child(node: number, unit: number): number {
    return this.#children.get(node, unit)
  }

  /** The id of the text that ends at a node, or `none`. */
  idAt(node: number): number {
    return this.#ids[node]!
  }
}
