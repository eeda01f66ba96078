import { Logger } from 'graphile-worker'

/** Logs only errors and warnings. The default logger writes a line per job. */
export const quietLogger = new Logger(() => (level, message) => {
  if (level === 'error' || level === 'warning') console.error(message)
})
