/** A promise nobody waits for: if it fails, nobody learns of it. */
export function start(): void {
  work()
}

async function work(): Promise<void> {}
