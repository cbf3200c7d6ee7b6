import { ASYMMETRIC_MATCHERS_OBJECT, chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'

/** A registered test, with the hooks of its groups. */
export type RegisteredTest = { file: string; name: string; run: () => unknown }

type Body = (...given: unknown[]) => unknown

/** A file or a `describe`: its hooks, and whether `beforeAll` has run. */
type Group = { beforeAll: Body[]; beforeEach: Body[]; afterEach: Body[]; afterAll: Body[]; ready: Promise<void> | undefined }

/**
 * The part of vitest that a run of many mutants needs. Tests are collected as functions, which is nearly free, whereas vitest takes a third
 * of a second per file. The matchers are vitest's. A file that imports anything else cannot be loaded and is reported as left out.
 */
export class TestApi {
  readonly tests: RegisteredTest[] = []
  file = ''
  #path: string[] = []
  #groups: Group[] = [newGroup()]
  #started: Group[] = []
  #skips = false

  readonly module = Object.freeze({
    test: this.#test(),
    it: this.#test(),
    describe: this.#describe(),
    expect: vitestExpect(),
    expectTypeOf,
    beforeAll: (hook: Body) => void this.#groups.at(-1)!.beforeAll.push(hook),
    beforeEach: (hook: Body) => void this.#groups.at(-1)!.beforeEach.push(hook),
    afterEach: (hook: Body) => void this.#groups.at(-1)!.afterEach.unshift(hook),
    afterAll: (hook: Body) => void this.#groups.at(-1)!.afterAll.unshift(hook),
    vi: { setConfig() {} },
  })

  /** Discards the tests of the previous file. */
  begin(file: string): void {
    this.tests.length = 0
    this.file = file
    this.#groups = [newGroup()]
  }

  /** Runs the `afterAll` hooks of every group whose tests ran. Failing hooks are ignored: they are unrelated to the mutant. */
  async end(): Promise<void> {
    for (const { afterAll } of this.#started.splice(0).reverse())
      for (const hook of afterAll) await Promise.resolve(hook()).catch(() => undefined)
  }

  #register(name: string, body: () => unknown): void {
    if (this.#skips) return
    const groups = [...this.#groups]
    const run = async () => {
      for (const group of groups) await this.#start(group)
      for (const { beforeEach } of groups) for (const hook of beforeEach) await hook()
      try {
        await body()
      } finally {
        for (const { afterEach } of groups.toReversed()) for (const hook of afterEach) await hook()
      }
    }
    this.tests.push({ file: this.file, name: [...this.#path, name].join(' › '), run })
  }

  #start(group: Group): Promise<void> {
    group.ready ??= (async () => {
      this.#started.push(group)
      for (const hook of group.beforeAll) await hook()
    })()
    return group.ready
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
          for (const row of table) this.#register(name, () => bodyOf(rest)(row, context))
        },
      skipIf: (condition: unknown) => (condition ? () => {} : test),
      runIf: (condition: unknown) => (condition ? test : () => {}),
      skip: () => {},
    })
  }

  #describe() {
    const describe = (name: string, ...rest: unknown[]) => {
      this.#path.push(name)
      this.#groups.push(newGroup())
      try {
        bodyOf(rest)()
      } finally {
        this.#path.pop()
        this.#groups.pop()
      }
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
      each:
        (table: readonly unknown[]) =>
        (name: string, ...rest: unknown[]) => {
          for (const row of table) describe(name, () => void bodyOf(rest)(...(Array.isArray(row) ? row : [row])))
        },
      for:
        (table: readonly unknown[]) =>
        (name: string, ...rest: unknown[]) => {
          for (const row of table) describe(name, () => void bodyOf(rest)(row))
        },
    })
  }
}

function newGroup(): Group {
  return { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], ready: undefined }
}

class Skipped extends Error {}

const context = {
  expect: vitestExpect(),
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

/** The compiler has checked the types. */
function expectTypeOf(): unknown {
  const anything: unknown = new Proxy(() => anything, { get: () => anything })
  return anything
}
