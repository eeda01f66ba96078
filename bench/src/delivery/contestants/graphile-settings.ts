import { Logger } from 'graphile-worker'

/** It logs a line for every job otherwise. */
export const quietly = new Logger(() => (level, message) => {
  if (level === 'error' || level === 'warning') console.error(message)
})
