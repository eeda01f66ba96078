/** Repeats a step that works on a batch at a time until it finds nothing more to do. */
export async function untilNone(step: () => Promise<number>): Promise<void> {
  let done: number
  do done = await step()
  while (done > 0)
}
