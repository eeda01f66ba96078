/** An app's secret, once: only its fingerprint is kept, so nobody can show it again. */
import { Button } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { Secret } from '../../parts/secret.tsx'

interface ShownSecretProps {
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
    '-d code=<the code>',
    '-d redirect_uri=<where people return>',
    '-d code_verifier=<the PKCE verifier>',
  ].join(' \\\n  ')
}

export function ShownSecret({ title, id, secret, close }: ShownSecretProps) {
  return (
    <Dialog title={title} close={close} size="lg" isBusy>
      <div className={dialog.body}>
        <p>This is the app’s secret. It is shown only now; if you lose it, make a new one.</p>
        <Secret text={secret} what="secret" />
        <div>
          <p>With it the app exchanges a code for a token:</p>
          <CodeBlock what="command" text={tokenCurl(id, secret)} />
        </div>
        <div className={dialog.actions}>
          <Button onClick={close}>I have copied it</Button>
        </div>
      </div>
    </Dialog>
  )
}
