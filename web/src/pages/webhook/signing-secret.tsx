/** The secret by which a receiver knows that a call is ours: shown when asked for, changed with an overlap. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { HookStory } from '../../api/shapes.ts'
import { useRotateHookSecret, useViewSecret } from '../../api/hooks.ts'
import { ChoiceTabs } from '../../parts/choice-tabs.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ConfirmDanger } from '../../parts/confirm-danger.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { Panel } from '../../parts/panel.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Time } from '../../parts/time.tsx'
import { verifySnippets } from '../../words/verify-snippets.ts'
import styles from './webhook.module.css'

export function SigningSecret({ story }: { story: HookStory }) {
  const { hook, secret_rotated_at: rotatedAt } = story
  const view = useViewSecret(hook.id)
  const rotate = useRotateHookSecret(hook.id)
  const [isAsked, setAsked] = useState(false)
  const shown = rotate.data ?? view.data
  const until = shown?.previous_until ?? null
  return (
    <Panel
      title="Signing secret"
      about={
        <>
          Every call carries a signature made with it. Verify it, so that nobody else can send you events.
          {rotatedAt !== null && (
            <>
              {' '}
              Last changed <Time at={rotatedAt} />.
            </>
          )}
        </>
      }
      actions={
        <div className={form.actions}>
          {shown === undefined && (
            <Button variant="default" loading={view.isPending} onClick={() => view.mutate()}>
              Show the secret
            </Button>
          )}
          <Button variant="default" onClick={() => setAsked(true)}>
            Make a new secret
          </Button>
        </div>
      }
    >
      <div className={form.wide}>
        <FailureNote error={view.error} isChange={false} />
        {shown === undefined ? (
          <p className={styles.quiet}>That somebody looked at it is kept in the audit log.</p>
        ) : (
          <div>
            <Secret text={shown.secret} what="secret" />
            {until !== null && (
              <p className={styles.quiet}>
                Until <Time at={until} /> calls are signed with the secret before this one too.
              </p>
            )}
          </div>
        )}
        {view.data !== undefined && (
          <div>
            <p className={styles.quiet}>
              For receivers that verify <code>x-signature</code>: the key of your account.
            </p>
            <Secret text={view.data.signature_key} what="key" />
          </div>
        )}
        <ChoiceTabs
          label="Verify it in"
          tabs={verifySnippets.map(({ title, text }) => ({
            title,
            content: <CodeBlock what={`${title} snippet`} text={text} />,
          }))}
        />
      </div>
      {isAsked && (
        <ConfirmDanger
          title={`Make a new secret for webhook ${hook.id}?`}
          action="Make a new secret"
          act={async () => {
            view.reset()
            await rotate.mutateAsync()
          }}
          close={() => setAsked(false)}
        >
          For 24 hours calls carry two signatures, one by each secret, so your receiver goes on working while
          you change it. After that only the new one counts.
        </ConfirmDanger>
      )}
    </Panel>
  )
}
