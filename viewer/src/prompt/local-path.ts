/** A place within a config, without the name of the config before it: `sums › infer_cfg.prompt_template` → `infer_cfg.prompt_template`. */
export function localPath(path: string): string {
  return path.split(' › ').at(-1)!
}
