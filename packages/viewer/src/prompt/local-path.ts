/** A path within a config without the config's name: `sums › infer_cfg.prompt_template` → `infer_cfg.prompt_template`. */
export function localPath(path: string): string {
  return path.split(' › ').at(-1)!
}
