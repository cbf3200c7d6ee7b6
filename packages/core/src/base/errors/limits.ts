/**
 * Bounds on the work that untrusted input can cause: from servers, requests, tools' schemas, patterns of configs.
 * `docs/limit-descriptions.ts` says what each of them bounds. Limits that users set (`max_out_len`, `timeout`, `--max-body`) are
 * documented with their settings.
 */
export const limits = {
  schemaSteps: 100_000,
  patternSteps: 20_000,
  patternText: 20_000,
  constraintStates: 20_000,
  constraintParts: 5_000,
  constraintDepth: 500,
  constraintSteps: 1_000_000,
  replyBytes: 1 << 20,
  replyBytesPerToken: 8192,
  replyMillisecondsPerToken: 5000,
  templateSteps: 1_000_000,
  templateOutput: 32 * 1024 * 1024,
  templateDepth: 200,
  functionRowSteps: 2_000_000,
  functionSteps: 200_000_000,
  functionBaseSteps: 20_000_000,
  functionModuleSteps: 50_000_000,
  functionItemSteps: 20_000,
  functionDatasetSteps: 300_000_000,
  functionDatasetMemory: 20_000_000_000,
  lineBytes: 500_000_000,
  unpackedRatio: 200,
  unpackedFloor: 16 << 20,
  unpackedMember: 256 << 20,
  tokenizerSteps: 100,
  tokenizerBaseSteps: 2_000_000,
  hubAnswer: 32 << 20,
  hubPages: 1000,
  templateSeconds: 10,
  commandTemplateSeconds: 20,
  templateMemory: 512,
} as const
