/** Shows an app secret once. Hookline stores only its hash. */
import { Button } from '@mantine/core'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { Secret } from '../../ui/data/secret.tsx'

interface SecretRevealProps {
  title: string
  id: string
  secret: string
  close: () => void
}

function tokenCurl(id: string, secret: string): string {
  return [
    `curl ${location.origin}/oauth/token`,
    `-u '${id}:${secret}'`,
    '-d grant_type=authorization_code',
    '-d code=<code>',
    '-d redirect_uri=<redirect_uri>',
    '-d code_verifier=<code_verifier>',
  ].join(' \\\n  ')
}

export function SecretReveal({ title, id, secret, close }: SecretRevealProps) {
  return (
    <Dialog title={title} close={close} size="lg" isBusy>
      <div className={dialog.body}>
        <p>Save the secret now. It is not shown again. If you lose it, rotate the secret.</p>
        <Secret text={secret} label="secret" />
        <div>
          <p>Exchange a code for a token:</p>
          <CodeBlock label="command" text={tokenCurl(id, secret)} />
        </div>
        <div className={dialog.actions}>
          <Button onClick={close}>I saved the secret</Button>
        </div>
      </div>
    </Dialog>
  )
}
