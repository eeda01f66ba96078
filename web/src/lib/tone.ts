/** Meaning of a color and icon. */
export type Tone = 'success' | 'warning' | 'danger' | 'neutral' | 'info'
