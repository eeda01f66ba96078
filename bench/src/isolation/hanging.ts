/** Connections that wait for a host that completes none: the kernel knows them, the receiver never sees them. */
import { readFileSync } from 'node:fs'

const everyMs = 500
const synSent = '02'

/** Watches how many hang at once; answers the most when it is stopped. */
export function watchHanging(port: number): { stop: () => number } {
  const remotePort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  let most = 0
  const timer = setInterval(() => {
    const hanging = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote, state]) => state === synSent && remote?.endsWith(remotePort))
    most = Math.max(most, hanging.length)
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}
