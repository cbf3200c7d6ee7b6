// Parses the subset of TeX math that models use into a MathML tree. Unknown commands stay source text.

/** A MathML element with its children, or text. */
export type MathNode = { tag: string; attributes?: Readonly<Record<string, string>>; children: readonly (MathNode | string)[] }

const symbols: Readonly<Record<string, string>> = {
  ...pairs(`
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν
    xi ξ pi π rho ρ sigma σ tau τ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Pi Π Sigma Σ
    Phi Φ Psi Ψ Omega Ω infty ∞ partial ∂ degree ° ell ℓ emptyset ∅ angle ∠ ldots … dots … cdots ⋯ prime ′ hbar ℏ
    nabla ∇`),
}
const operators: Readonly<Record<string, string>> = {
  ...pairs(`
    times × cdot ⋅ div ÷ pm ± mp ∓ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ equiv ≡ sim ∼ to → rightarrow →
    Rightarrow ⇒ implies ⟹ iff ⟺ leftarrow ← in ∈ notin ∉ subset ⊂ subseteq ⊆ cup ∪ cap ∩ forall ∀ exists ∃ land ∧
    lor ∨ neg ¬ mid ∣ parallel ∥ perp ⊥ circ ∘ sum ∑ prod ∏ int ∫ lbrace { rbrace } langle ⟨ rangle ⟩ lfloor ⌊
    rfloor ⌋ lceil ⌈ rceil ⌉ therefore ∴ because ∵ star ⋆ ast ∗ gt > lt <`),
  quad: '\u2003',
  qquad: '\u2003\u2003',
  ',': '\u2009',
  ';': '\u2005',
  ':': '\u2005',
  '!': '',
  ' ': ' ',
  '{': '{',
  '}': '}',
  '%': '%',
  $: '$',
  '&': '&',
  '#': '#',
  _: '_',
  '|': '‖',
}
const functions = new Set([
  'sin',
  'cos',
  'tan',
  'cot',
  'sec',
  'csc',
  'arcsin',
  'arccos',
  'arctan',
  'log',
  'ln',
  'exp',
  'lim',
  'max',
  'min',
  'gcd',
  'lcm',
  'det',
  'deg',
  'mod',
  'bmod',
])
const texts = new Set(['text', 'mathrm', 'textbf', 'mathbf', 'mathit', 'operatorname', 'textit', 'mbox', 'mathbb', 'mathcal'])
const ignored = new Set(['left', 'right', 'displaystyle', 'big', 'Big', 'bigl', 'bigr', 'Bigl', 'Bigr', 'limits', 'nolimits'])

const token = /\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|[a-zA-Z]|\s+|[^\s]/gsu

/** Parses a formula; undefined if it contains anything unknown, so that the source is shown. */
export function parseTex(tex: string): MathNode | undefined {
  const reader = new Reader([...tex.matchAll(token)].map(([one]) => one))
  try {
    return { tag: 'math', children: reader.row(undefined) }
  } catch {
    return undefined
  }
}

class Unknown extends Error {}

class Reader {
  readonly #tokens: readonly string[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  /** Everything up to a token or the end. */
  row(close: string | undefined): MathNode[] {
    if (++this.#depth > 50) throw new Unknown()
    const nodes: MathNode[] = []
    for (;;) {
      const next = this.#peek()
      if (next === close) {
        if (close !== undefined) this.#at++
        this.#depth--
        return nodes
      }
      if (next === undefined || next === '}') throw new Unknown()
      if (next === '^' || next === '_') nodes.push(this.#scripts(nodes.pop() ?? row([])))
      else nodes.push(this.#atom())
    }
  }

  #peek(): string | undefined {
    while (/^\s+$/.test(this.#tokens[this.#at] ?? 'x')) this.#at++
    return this.#tokens[this.#at]
  }

  #scripts(base: MathNode): MathNode {
    let [below, above]: [MathNode | undefined, MathNode | undefined] = [undefined, undefined]
    for (let next = this.#peek(); next === '^' || next === '_'; next = this.#peek()) {
      this.#at++
      if (next === '^') above = this.#atom()
      else below = this.#atom()
    }
    const isLarge = base.tag === 'mo' && /^[∑∏]$/.test(String(base.children[0]))
    if (below && above) return { tag: isLarge ? 'munderover' : 'msubsup', children: [base, below, above] }
    return above
      ? { tag: isLarge ? 'mover' : 'msup', children: [base, above] }
      : { tag: isLarge ? 'munder' : 'msub', children: [base, below!] }
  }

  #atom(): MathNode {
    const next = this.#peek()
    if (next === undefined) throw new Unknown()
    this.#at++
    if (next === '{') return row(this.row('}'))
    if (next.startsWith('\\')) return this.#command(next.slice(1))
    if (/^\d/.test(next)) return { tag: 'mn', children: [next] }
    if (/^\p{L}$/u.test(next)) return { tag: 'mi', children: [next] }
    if (next === "'") return { tag: 'mo', children: ['′'] }
    if (next === '&' || next === '#' || next === '~') throw new Unknown()
    return { tag: 'mo', children: [next === '-' ? '−' : next] }
  }

  #command(name: string): MathNode {
    if (name === 'frac' || name === 'dfrac' || name === 'tfrac') return { tag: 'mfrac', children: [this.#atom(), this.#atom()] }
    if (name === 'binom')
      return row([mo('('), { tag: 'mfrac', attributes: { linethickness: '0' }, children: [this.#atom(), this.#atom()] }, mo(')')])
    if (name === 'sqrt') return this.#root()
    if (name === 'boxed' || name === 'fbox') return { tag: 'mrow', attributes: { class: 'boxed' }, children: [this.#atom()] }
    if (name === 'overline' || name === 'bar') return { tag: 'mover', children: [this.#atom(), mo('‾')] }
    if (name === 'vec') return { tag: 'mover', children: [this.#atom(), mo('→')] }
    if (name === 'hat') return { tag: 'mover', children: [this.#atom(), mo('^')] }
    if (texts.has(name)) return { tag: 'mtext', children: [this.#raw()] }
    if (functions.has(name)) return { tag: 'mi', children: [name === 'bmod' ? 'mod' : name] }
    if (ignored.has(name)) {
      if (this.#peek() === '.') this.#at++
      return row([])
    }
    if (Object.hasOwn(symbols, name)) return { tag: 'mi', children: [symbols[name]!] }
    if (Object.hasOwn(operators, name)) return mo(operators[name]!)
    throw new Unknown()
  }

  #root(): MathNode {
    if (this.#peek() !== '[') return { tag: 'msqrt', children: [this.#atom()] }
    this.#at++
    const degree = row(this.row(']'))
    return { tag: 'mroot', children: [this.#atom(), degree] }
  }

  /** The raw text in braces. */
  #raw(): string {
    if (this.#peek() !== '{') throw new Unknown()
    let [text, depth] = ['', 1]
    for (this.#at++; this.#at < this.#tokens.length; this.#at++) {
      const next = this.#tokens[this.#at]!
      if (next === '{') depth++
      if (next === '}' && --depth === 0) {
        this.#at++
        return text
      }
      text += next.startsWith('\\') && next.length === 2 ? next.slice(1) : next
    }
    throw new Unknown()
  }
}

/** Parses `alpha α beta β` into a table. */
function pairs(text: string): Record<string, string> {
  const parts = text.trim().split(/\s+/)
  return Object.fromEntries(parts.flatMap((name, at) => (at % 2 === 0 ? [[name, parts[at + 1]!]] : [])))
}

function row(children: readonly MathNode[]): MathNode {
  return children.length === 1 ? children[0]! : { tag: 'mrow', children }
}

function mo(text: string): MathNode {
  return { tag: 'mo', children: [text] }
}
