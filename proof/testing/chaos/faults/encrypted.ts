import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { folderWith } from '../../folder-with.ts'
import { redisServer } from '../../redis-server.ts'
import { programTimeout } from '../../run-program.ts'
import { expectTrue, type Fault, finished } from './fault.ts'

/** A queue with TLS. */
export const encrypted: Fault = {
  name: 'TLS',
  holds: 'rediss:// works with a certificate that Node trusts, and is refused with words without one, and where the server speaks no TLS',
  lacks: () => (hasOpenssl() ? undefined : 'openssl'),
  async attempt(stage) {
    const certificates = folderWith({})
    const [key, certificate] = [join(certificates, 'key.pem'), join(certificates, 'certificate.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', certificate],
      {
        stdio: 'ignore',
        timeout: programTimeout,
      },
    )
    const port = 20_000 + (process.pid % 20_000)
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
    const server = await redisServer(stage.program, ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'])
    try {
      const folder = stage.folder()
      const address = `rediss://localhost:${port}`
      const untrusted = stage.work({}, undefined, address)
      expectTrue((await untrusted.ended) === 2 && /certificate/.test(untrusted.said()), `refused with words: ${untrusted.said()}`)
      const plain = stage.work({}, undefined, stage.redis.url.replace('redis://', 'rediss://'))
      expectTrue((await plain.ended) === 2, `a server without TLS is refused: ${plain.said()}`)
      const trusted = { NODE_EXTRA_CA_CERTS: certificate }
      stage.work(trusted, undefined, address)
      await finished(stage, stage.coordinateWith(trusted, folder, address), folder, 0)
      return `untrusted: ${untrusted.said().split('\n')[1]?.trim()}; without TLS: ${plain.said().split('\n')[1]?.trim()}`
    } finally {
      await server.stop()
    }
  },
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore', timeout: programTimeout })
    return true
  } catch {
    return false
  }
}
