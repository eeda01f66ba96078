import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type NoticePreferences, preferencesQuery, useUnmute } from '../../../api/notices.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import account from '../account.module.css'
import styles from './notices.module.css'

type MutedWebhook = NoticePreferences['muted'][number]

export function MutedWebhooks() {
  const { data } = useQuery(preferencesQuery)
  const unmute = useUnmute()
  if (data === undefined) return <Skeleton height={48} radius="md" />
  if (data.muted.length === 0)
    return <p className={styles.muted}>No muted webhooks. Mute one in its menu on the page “Webhooks”.</p>
  return (
    <>
      <ul className={account.sessions}>
        {data.muted.map((webhook) => (
          <Muted key={webhook.id} webhook={webhook} unmute={() => unmute.mutate(webhook.id)} />
        ))}
      </ul>
      <ErrorNotice error={unmute.error} />
    </>
  )
}

function Muted({ webhook, unmute }: { webhook: MutedWebhook; unmute: () => void }) {
  const name = webhookName(webhook)
  return (
    <li className={account.session}>
      <span className={account.sessionText}>
        <bdi>{name}</bdi>
      </span>
      <Button variant="default" size="xs" onClick={unmute} aria-label={`Unmute ${name}`}>
        Unmute
      </Button>
    </li>
  )
}
