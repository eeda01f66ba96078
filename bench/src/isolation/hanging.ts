/** Counts connections that the remote host does not complete. Only the kernel sees them, the receiver does not. */
import { readFileSync } from 'node:fs'

const intervalMs = 500
const synSent = '02'

/** Samples the number of hanging connections. `stop` returns the maximum. */
export function watchHanging(port: number): { stop: () => number } {
  const remotePort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  let max = 0
  const timer = setInterval(() => {
    const hanging = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote, state]) => state === synSent && remote?.endsWith(remotePort))
    max = Math.max(max, hanging.length)
  }, intervalMs)
  return {
    stop() {
      clearInterval(timer)
      return max
    },
  }
}
