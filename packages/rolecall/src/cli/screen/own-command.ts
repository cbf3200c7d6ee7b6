/** How this program was started, for commands to paste: npx does not put it on the path. */
export function ownCommand(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.npm_command === 'exec' ? 'npx rolecall' : 'rolecall'
}
