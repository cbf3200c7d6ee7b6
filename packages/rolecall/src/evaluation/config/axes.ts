/** What the results of a run may vary in. */
export const axisNames = ['data', 'prompt', 'shots', 'model', 'format', 'temperature'] as const

export type AxisName = (typeof axisNames)[number]

/** Where a model or a dataset stands on the axes of a run. */
export type Axes = { [Name in AxisName]?: string | number | undefined }
