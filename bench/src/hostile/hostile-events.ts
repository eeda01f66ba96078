/** Valid events that are expensive to process: each has the maximum size and another shape. */
export type EventShape = (bytes: number) => Record<string, unknown>

const message = { id: '1', sender: '491700000001', system: '491700000002', text: 'Hello', time: '1731656400' }
const list = (bytes: number): number[] => Array.from({ length: Math.floor(bytes / 2) }, () => 0)

const nested = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : { ['k'.repeat(40)]: [nested(depth - 1, inner), 1] }

export const eventShapes: Readonly<Record<string, EventShape>> = {
  'long words': (bytes) => ({ ...message, text: 'ab '.repeat(bytes / 3) }),
  'long text of one letter': (bytes) => ({ ...message, text: 'a'.repeat(bytes) }),
  'text that grows when encoded': (bytes) => ({ ...message, text: '\u20ac'.repeat(bytes / 3) }),
  'text of control characters': (bytes) => ({ ...message, text: '\u0001'.repeat(bytes / 6) }),
  'long key over a long list': (bytes) => ({ ...message, ['k'.repeat(bytes / 2)]: list(bytes / 2) }),
  'long list': (bytes) => ({ ...message, list: list(bytes) }),
  'many keys': (bytes) => ({
    ...message,
    ...Object.fromEntries(Array.from({ length: bytes / 10 }, (_, n) => [`k${n}`, 1])),
  }),
  'deep nesting': () => ({ ...message, deep: nested(28, [[[[1]]]]) }),
  'a list of lists': (bytes) => ({ ...message, list: Array.from({ length: bytes / 12 }, () => [[[[]]], 1]) }),
  'names of methods': () => ({ ...message, ['__proto__']: { size: 1 }, constructor: 1, toString: 2 }),
  'large numbers': (bytes) => ({ ...message, list: Array.from({ length: bytes / 20 }, () => 1.5e308) }),
}
