/** Tells the other tabs of the browser that it has a new session: tabs share one cookie. */
const channel = new BroadcastChannel('hookline-session')

export function announceSession(sessionId: number): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have no target, only windows do
  channel.postMessage(sessionId)
}

/** Not called for sessions of this tab. */
export function onOtherSession(handle: (sessionId: number) => void): void {
  channel.addEventListener('message', ({ data }) => handle(Number(data)))
}
