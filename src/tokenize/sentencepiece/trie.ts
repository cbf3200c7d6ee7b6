/**
 * Finds which of many texts stand at a place of another, walking it unit by unit (UTF-16). All children lie in one hash
 * table: a vocabulary of a quarter of a million pieces would be as many objects otherwise.
 */
export class Trie {
  /** For each node the id of the text that ends there, or -1. Node 0 is the root. */
  readonly ids: Int32Array
  readonly #parents: Int32Array
  readonly #units: Uint16Array
  readonly #children: Int32Array
  readonly #mask: number

  constructor(entries: Iterable<readonly [text: string, id: number]>) {
    const texts = [...entries]
    const mostNodes = texts.reduce((sum, [text]) => sum + text.length, 1)
    let capacity = 16
    while (capacity < mostNodes * 2) capacity *= 2
    this.#mask = capacity - 1
    this.#parents = new Int32Array(capacity)
    this.#units = new Uint16Array(capacity)
    this.#children = new Int32Array(capacity)

    const ids = new Int32Array(mostNodes).fill(-1)
    let nodes = 1
    for (const [text, id] of texts) {
      let node = 0
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at)
        const slot = this.#slotOf(node, unit)
        if (this.#children[slot] === 0) {
          this.#parents[slot] = node
          this.#units[slot] = unit
          this.#children[slot] = nodes++
        }
        node = this.#children[slot]!
      }
      ids[node] = id
    }
    this.ids = ids.slice(0, nodes)
  }

  /** The node that a unit leads to, or 0 when there is none. */
  child(node: number, unit: number): number {
    return this.#children[this.#slotOf(node, unit)]!
  }

  /** The place of a child, or the free place where it belongs: 0, the root, is nobody's child. */
  #slotOf(node: number, unit: number): number {
    const mixed = Math.imul(node ^ Math.imul(unit, 0x9e3779b1), 0x85ebca6b)
    let slot = (mixed ^ (mixed >>> 15)) & this.#mask
    while (this.#children[slot] !== 0 && (this.#parents[slot] !== node || this.#units[slot] !== unit)) slot = (slot + 1) & this.#mask
    return slot
  }
}
