/** Shows the complete key and an example request. */
import { Button } from '@mantine/core'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { Secret } from '../../ui/data/secret.tsx'
import { listHooksCurl } from '../../messages/curl-examples.ts'

interface KeyRevealProps {
  title: string
  secret: string
  close: () => void
}

export function KeyReveal({ title, secret, close }: KeyRevealProps) {
  return (
    <Dialog title={title} close={close} size="lg" isBusy>
      <div className={dialog.body}>
        <p>Store the key as a secret, never in a repository. The key gives access to your account.</p>
        <Secret text={secret} label="key" />
        <div>
          <p>List your webhooks with the key:</p>
          <CodeBlock label="command" text={listHooksCurl(secret)} />
        </div>
        <div className={dialog.actions}>
          <Button onClick={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  )
}
