import { ASYMMETRIC_MATCHERS_OBJECT, chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'

/** A test that a test file has registered. */
export type RegisteredTest = { file: string; name: string; run: () => unknown }

type Body = (...given: unknown[]) => unknown

/**
 * What test files import from vitest, reduced to what a run of many mutants needs: the tests are collected as functions, which costs
 * nothing where vitest takes a third of a second per file. Matchers are vitest's own. A file that asks for more cannot be loaded.
 */
export class TestApi {
  readonly tests: RegisteredTest[] = []
  file = ''
  #path: string[] = []
  #skips = false

  readonly module = Object.freeze({
    test: this.#test(),
    it: this.#test(),
    describe: this.#describe(),
    expect: vitestExpect(),
    expectTypeOf,
    vi: { setConfig() {} },
  })

  #register(name: string, run: () => unknown): void {
    if (!this.#skips) this.tests.push({ file: this.file, name: [...this.#path, name].join(' › '), run })
  }

  #test() {
    const test = (name: string, ...rest: unknown[]) => this.#register(name, () => bodyOf(rest)(context))
    return Object.assign(test, {
      each:
        (table: readonly unknown[]) =>
        (name: string, ...rest: unknown[]) => {
          for (const row of table) this.#register(name, () => bodyOf(rest)(...(Array.isArray(row) ? row : [row])))
        },
      for:
        (table: readonly unknown[]) =>
        (name: string, ...rest: unknown[]) => {
          for (const row of table) this.#register(name, () => bodyOf(rest)(row))
        },
      skipIf: (condition: unknown) => (condition ? () => {} : test),
      runIf: (condition: unknown) => (condition ? test : () => {}),
      skip: () => {},
    })
  }

  #describe() {
    const describe = (name: string, ...rest: unknown[]) => {
      this.#path.push(name)
      bodyOf(rest)()
      this.#path.pop()
    }
    const skipping = (name: string, ...rest: unknown[]) => {
      const before = this.#skips
      this.#skips = true
      describe(name, ...rest)
      this.#skips = before
    }
    return Object.assign(describe, {
      skipIf: (condition: unknown) => (condition ? skipping : describe),
      runIf: (condition: unknown) => (condition ? describe : skipping),
      each: (table: readonly unknown[]) => (name: string, body: Body) => {
        for (const row of table) describe(name, () => void body(...(Array.isArray(row) ? row : [row])))
      },
    })
  }
}

class Skipped extends Error {}

const context = {
  skip(): never {
    throw new Skipped('the test skips itself')
  },
}

function bodyOf(rest: readonly unknown[]): Body {
  const body = rest.find((part) => typeof part === 'function')
  if (body === undefined) throw new Error('a test without a function')
  return body as Body
}

function vitestExpect(): unknown {
  chai.use(JestExtend)
  chai.use(JestChaiExpect)
  chai.use(JestAsymmetricMatchers)
  const expect = (value: unknown, message?: string) => chai.expect(value, message)
  return Object.assign(expect, chai.expect, (globalThis as Record<symbol, unknown>)[ASYMMETRIC_MATCHERS_OBJECT])
}

/** Types were checked by the compiler. */
function expectTypeOf(): unknown {
  const anything: unknown = new Proxy(() => anything, { get: () => anything })
  return anything
}
