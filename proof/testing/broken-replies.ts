import type { Socket } from 'node:net'

/** What a server sends instead of a response. */
export type RawReply = (socket: Socket) => void

const ends =
  (text: string | Uint8Array): RawReply =>
  (socket) => {
    socket.end(text)
  }
const json = '{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}'
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

/** Replies that break HTTP, by what is wrong with them. */
export const brokenReplies: Readonly<Record<string, RawReply>> = {
  'bytes that are not text': ends(Uint8Array.from({ length: 512 }, (_, index) => (index * 37) % 256)),
  'a text that is not HTTP': ends('hello, this is no web server\r\n\r\n'),
  'half a status line': ends('HTTP/1.'),
  'a status that is no number': ends('HTTP/1.1 abc OK\r\n\r\n'),
  'another version of HTTP': ends('HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n'),
  'the preface of HTTP/2': ends(Uint8Array.from([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 128])),
  'a header without a colon': ends('HTTP/1.1 200 OK\r\nthis header is wrong\r\n\r\n'),
  'a header with a control character': ends('HTTP/1.1 200 OK\r\nx: a\u0000b\r\ncontent-length: 2\r\n\r\n{}'),
  'a head of 1 MB': ends(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1 << 20)}\r\n\r\n{}`),
  'ten thousand headers': ends(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n{}`),
  'a length that is no number': ends(`${head}content-length: many\r\n\r\n${json}`),
  'two lengths that differ': ends(`${head}content-length: 5\r\ncontent-length: 6\r\n\r\n${json}`),
  'a length and chunks': ends(`${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  'a body longer than its length': ends(`${head}content-length: 2\r\n\r\n${json}`),
  'a body shorter than its length': ends(`${head}content-length: 100000\r\n\r\n${json}`),
  'a chunk size that is no number': ends(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n${json}\r\n0\r\n\r\n`),
  'a chunk longer than its size': ends(`${head}transfer-encoding: chunked\r\n\r\n2\r\n${json}\r\n0\r\n\r\n`),
  'a chunk size without end': ends(`${head}transfer-encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n${json}\r\n`),
  'chunks without the last one': ends(`${head}transfer-encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n`),
  'an endless line of chunk extensions': ends(`${head}transfer-encoding: chunked\r\n\r\n5;${'x'.repeat(200_000)}\r\nhello\r\n0\r\n\r\n`),
  'a switch of protocols': ends('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  'a close without a byte': (socket) => socket.end(),
  'a reset': (socket) => socket.resetAndDestroy(),
  'a reset within the body': (socket) => {
    socket.write(`${head}content-length: 100000\r\n\r\n{"choices"`)
    setTimeout(() => socket.resetAndDestroy(), 20)
  },
  'an alert of TLS': ends(Uint8Array.from([0x15, 3, 1, 0, 2, 2, 70])),
  'a body that is not the encoding it names': ends(`${head}content-encoding: gzip\r\ncontent-length: ${json.length}\r\n\r\n${json}`),
}
