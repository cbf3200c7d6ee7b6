import { Command } from 'commander'
import { ownVersion } from '../../node/own-files.ts'
import { buildViewer } from '../../server/viewer/build-viewer.ts'
import { serveViewer } from '../../server/viewer/serve-viewer.ts'
import { portNumber, servePage } from '../view/serve-page.ts'

type Options = { port?: number; open: boolean }

export const labCommand = new Command('lab')
  .description('try chats on chat templates in the browser: prompts, tokens, replies, side by side')
  .option('--port <number>', 'the port on 127.0.0.1 (default: a free one)', portNumber)
  .option('--no-open', 'print the address without opening a browser')
  .addHelpText(
    'after',
    `
Examples:
  rolecall lab                 the prompt lab, served on this computer
  rolecall lab --no-open       print the address only`,
  )
  .action(async ({ port, open }: Options) => {
    buildViewer()
    const server = await serveViewer(
      { version: ownVersion(), configs: [] },
      { ...(port === undefined ? {} : { port }), isReadOnly: true, isLab: true },
    )
    await servePage(server, `${server.url}lab.html`, { open })
  })
