import { spawn } from 'node:child_process'

/** Opens a page in the user's browser; where that cannot be done the address was printed. */
export function openBrowser(url: string): void {
  const [command, ...given] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command!, [...given, url], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}
