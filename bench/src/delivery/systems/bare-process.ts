/** Process of the bare loop. On command, builds messages or posts them. */
import { type Message, signedMessage } from '../message.ts'
import { connections, openPost } from './post.ts'

const { url } = JSON.parse(process.argv[2] ?? '{}') as { url: string }
const post = openPost(url)
let messages: Message[] = []

process.on('message', ({ prepare }: { prepare?: number }) => {
  if (prepare === undefined) return void postAll().then(() => process.send?.({}))
  messages = Array.from({ length: prepare }, () => signedMessage(url))
  return process.send?.({ ids: messages.map(({ id }) => id) })
})
process.send?.({})

async function postAll(): Promise<void> {
  let next = 0
  const postNext = async (): Promise<void> => {
    for (let message = messages[next++]; message !== undefined; message = messages[next++])
      await post(message)
  }
  await Promise.all(Array.from({ length: connections }, postNext))
}
