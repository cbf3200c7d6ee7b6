const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'linux-riscv64': 'linux-riscv64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
}

/**
 * How to install node-llama-cpp with only the binary for this machine: a plain install downloads all of them, 725 MB.
 *
 * @example
 * installHint('linux', 'x64') // => 'npm i --omit=optional node-llama-cpp @node-llama-cpp/linux-x64'
 * installHint('linux', 'x64', 'cuda') // => 'npm i --omit=optional node-llama-cpp @node-llama-cpp/linux-x64-cuda'
 */
export function installHint(platform: string = process.platform, architecture: string = process.arch, gpu: unknown = false): string {
  const binary = binaries[`${platform}-${architecture}`]
  const hasOwn = (gpu === 'cuda' || gpu === 'vulkan') && /^(linux|win)-x64$/.test(binary ?? '')
  return binary === undefined
    ? 'npm i node-llama-cpp'
    : `npm i --omit=optional node-llama-cpp @node-llama-cpp/${binary}${hasOwn ? `-${gpu}` : ''}`
}
