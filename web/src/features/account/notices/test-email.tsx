import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { preferencesQuery, useTestEmail } from '../../../api/notices.ts'
import { describeMessage } from '../../../messages/notices.ts'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import styles from './notices.module.css'

/** Sends a test to the verified email of the user, and shows its result. */
export function TestEmail() {
  const { data } = useQuery(preferencesQuery)
  const test = useTestEmail()
  if (data === undefined) return null
  if (!data.sends_email)
    return (
      <p className={styles.muted}>
        Email is not configured, so notices are only listed, and sent to chat channels.
      </p>
    )
  if (data.email === null)
    return (
      <p className={styles.muted}>
        Your login has no verified email. <TextLink to="/account">Add an email</TextLink>
      </p>
    )
  const last = data.last_test
  return (
    <div className={styles.test}>
      <div className={styles.line}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send test email
        </Button>
        {last === null ? (
          <span className={styles.muted}>
            To <bdi>{data.email}</bdi>
          </span>
        ) : (
          <>
            <StateBadge {...describeMessage(last)} />
            <span className={styles.muted}>
              <RelativeTime at={last.created_at} />
            </span>
          </>
        )}
      </div>
      <ErrorNotice error={test.error} />
    </div>
  )
}
