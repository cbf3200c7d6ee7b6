import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that can be interrupted like a network. */
export type Proxy = {
  port: number
  /** Blocks all traffic until `mend`; with `isCut`, also closes connections and refuses new ones. */
  interrupt(isCut: boolean): void
  mend(): void
  close(): Promise<void>
}

export async function openProxy(to: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let [isSilent, isCut] = [false, false]
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', (data) => other.write(data))
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.on('error', () => undefined)
      if (isSilent) one.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    interrupt(cut) {
      isSilent = true
      isCut = cut
      for (const socket of sockets) {
        if (cut) socket.destroy()
        else socket.pause()
      }
    },
    mend() {
      isSilent = false
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
