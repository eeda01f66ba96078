/**
 * Handles SIGTERM and SIGINT from the first moment. As the first process of a container, Node.js would ignore a signal
 * without a listener. Until the service has started, there is nothing to finish.
 */
let stop = (_signal: string): void => process.exit(0)
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop(signal))

/** Replaces the handler. */
export function onStopSignal(handler: (signal: string) => void): void {
  stop = handler
}
