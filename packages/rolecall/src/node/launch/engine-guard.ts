/**
 * The program that starts an engine, run by `node -e`: the engine has a process group of its own, and ends with everything it started when
 * the standard input of this program closes, as it does however Rolecall ends.
 */
export const engineGuard = `
const { spawn } = require('node:child_process')
const [command, ...args] = JSON.parse(process.argv[1])
process.on('SIGINT', () => {})
const engine = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: process.platform !== 'win32' })
const kill = (signal) => {
  try { process.platform === 'win32' ? engine.kill(signal) : process.kill(-engine.pid, signal) } catch {}
}
engine.on('error', (error) => { console.error(error.message); process.exit(127) })
engine.on('exit', (code, signal) => { kill('SIGKILL'); process.exit(code ?? (signal ? 1 : 0)) })
const stop = () => { kill('SIGTERM'); setTimeout(() => kill('SIGKILL'), 10000) }
process.stdin.on('end', stop).on('error', stop).resume()
process.on('SIGTERM', stop)
`
