/** A whole key, to be taken away, with the call that tries it. */
import { Button } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { Secret } from '../../parts/secret.tsx'
import { listHooksCurl } from '../../words/curl.ts'

interface ShownKeyProps {
  title: string
  secret: string
  close: () => void
}

export function ShownKey({ title, secret, close }: ShownKeyProps) {
  return (
    <Dialog title={title} close={close} size="lg" isBusy>
      <div className={dialog.body}>
        <p>
          Keep it where programs keep their secrets, never in a repository. Whoever has it can act for your
          account.
        </p>
        <Secret text={secret} what="key" />
        <div>
          <p>Try it: this lists your webhooks.</p>
          <CodeBlock what="command" text={listHooksCurl(secret)} />
        </div>
        <div className={dialog.actions}>
          <Button onClick={close}>I have copied it</Button>
        </div>
      </div>
    </Dialog>
  )
}
