import type { ModelReply } from '../model/language-model/language-model.ts'
import type { ServedModel } from './served-model.ts'
import type { ServerContext } from './server-context.ts'

/** A reply as metrics, log and limits see it. */
export class ObservedReply {
  readonly #server: Pick<ServerContext, 'observer' | 'now'>
  readonly #model: string
  readonly #start: number
  #hasBegun = false

  constructor(server: Pick<ServerContext, 'observer' | 'now'>, { name }: ServedModel) {
    this.#server = server
    this.#model = name
    this.#start = server.now()
  }

  /** With the first token; later calls have no effect. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#server.observer.first(this.#model, this.#server.now() - this.#start)
  }

  /** Returns its tokens as counted for the request: a prompt with several replies counts once. */
  end(tokens: ModelReply['tokens'], isFirst: boolean): ModelReply['tokens'] {
    const counted = isFirst ? tokens : { ...tokens, prompt: 0, reused: 0 }
    this.#server.observer.reply(this.#model, counted)
    return counted
  }
}
