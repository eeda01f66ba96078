import { NativeSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type NoticeGroup,
  type NoticeMode,
  preferencesQuery,
  useChangePreferences,
} from '../../../api/notices.ts'
import { groupNames, groupText, modeText } from '../../../messages/notices.ts'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextLink } from '../../../ui/layout/links.tsx'
import styles from './notices.module.css'

const modes = Object.entries(modeText).map(([value, label]) => ({ value, label }))

export function Preferences() {
  const { data, error, refetch } = useQuery(preferencesQuery)
  const change = useChangePreferences()
  if (data === undefined)
    return error === null ? (
      <Skeleton height={320} radius="md" />
    ) : (
      <ErrorState error={error} retry={() => void refetch()} />
    )
  const choose = (group: NoticeGroup, mode: string) =>
    change.mutate(
      { [group]: mode as NoticeMode },
      { onSuccess: () => toast(`${groupText[group].label}: ${modeText[mode as NoticeMode]}`) },
    )
  return (
    <>
      {data.bounced !== null && (
        <Notice tone="danger" title={`An email to ${data.email} bounced (${data.bounced.reason})`}>
          Check the address, or <TextLink to="/account">enter another email</TextLink>.
        </Notice>
      )}
      <ul className={styles.groups}>
        {groupNames.map((group) => (
          <li key={group} className={styles.group}>
            <div>
              <p className={styles.title}>{groupText[group].label}</p>
              <p className={styles.muted}>{groupText[group].description}</p>
            </div>
            <NativeSelect
              aria-label={groupText[group].label}
              data={modes}
              value={data.preferences[group]}
              disabled={change.isPending}
              onChange={(event) => choose(group, event.currentTarget.value)}
            />
          </li>
        ))}
      </ul>
      <p className={styles.muted}>Daily emails are sent at 08:00 UTC, weekly ones on Mondays.</p>
      <ErrorNotice error={change.error} />
    </>
  )
}
