/** Repeats a batch step until it finds nothing to do. */
export async function drain(step: () => Promise<number>): Promise<void> {
  let done: number
  do done = await step()
  while (done > 0)
}
