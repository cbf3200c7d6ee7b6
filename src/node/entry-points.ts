/** What programs may import, and the file of it in `src`, without its ending. `package.json` names the same. */
export const entryPoints = {
  rolecall: 'index',
  'rolecall/node': 'node/index',
  'rolecall/jinja': 'entry-points/jinja',
  'rolecall/formats': 'entry-points/formats',
  'rolecall/replies': 'entry-points/replies',
  'rolecall/tokenizers': 'entry-points/tokenizers',
  'rolecall/scores': 'entry-points/scores',
  'rolecall/runs': 'entry-points/runs',
  'rolecall/templates': 'entry-points/templates',
  'rolecall/serve': 'entry-points/serve',
} as const
