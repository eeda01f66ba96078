/** Reveals the signing secret on request and rotates it with a 24-hour overlap. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { HookDetail } from '../../../api/types.ts'
import { useRotateWebhookSecret, useViewSecret } from '../../../api/webhooks.ts'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { CodeBlock } from '../../../ui/data/code-block.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import form from '../../../ui/form/form.module.css'
import { TextLink } from '../../../ui/layout/links.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Secret } from '../../../ui/data/secret.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { RotateSecret } from '../actions/rotate-secret.tsx'
import { verifySnippets } from '../../../messages/verify-snippets.ts'
import styles from './webhook.module.css'

export function SigningSecret({ detail }: { detail: HookDetail }) {
  const { hook, secret_rotated_at: rotatedAt } = detail
  const view = useViewSecret(hook.id)
  const rotate = useRotateWebhookSecret(hook.id)
  const [isOpen, setOpen] = useState(false)
  const revealed = rotate.data ?? view.data
  const until = revealed?.previous_until ?? null
  return (
    <Panel
      title="Signing secret"
      description={
        <>
          Signs every request. Verify the signature to reject requests from other senders.{' '}
          <TextLink to="/guides/$guide" params={{ guide: 'signatures' }}>
            Signature guide
          </TextLink>
          {rotatedAt !== null && (
            <>
              {' '}
              Last rotated <RelativeTime at={rotatedAt} />.
            </>
          )}
        </>
      }
      actions={
        <div className={form.actions}>
          {revealed === undefined && (
            <Button variant="default" loading={view.isPending} onClick={() => view.mutate()}>
              Reveal secret
            </Button>
          )}
          <Button variant="default" onClick={() => setOpen(true)}>
            Rotate secret
          </Button>
        </div>
      }
    >
      <div className={form.wide}>
        <ErrorNotice error={view.error} isChange={false} />
        {revealed === undefined ? (
          <p className={styles.muted}>The audit log records every reveal.</p>
        ) : (
          <div>
            <Secret text={revealed.secret} label="secret" />
            {until !== null && (
              <p className={styles.muted}>
                The previous secret expires <RelativeTime at={until} />. Until then, requests carry both
                signatures.
              </p>
            )}
          </div>
        )}
        {view.data !== undefined && (
          <div>
            <p className={styles.muted}>
              Signing key of the account, for receivers that verify <code>x-signature</code>.{' '}
              <TextLink to="/account" hash="signing-key">
                Account settings
              </TextLink>
            </p>
            <Secret text={view.data.signing_key} label="key" />
          </div>
        )}
        <Tabs
          label="Verification examples"
          tabs={verifySnippets.map(({ title, text }) => ({
            title,
            content: <CodeBlock label={`${title} snippet`} text={text} />,
          }))}
        />
      </div>
      {isOpen && (
        <RotateSecret
          hook={hook}
          rotate={async () => {
            view.reset()
            await rotate.mutateAsync()
          }}
          close={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}
