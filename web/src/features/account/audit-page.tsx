/** Audit log, newest first. Category and page are stored in the URL. */
import { Button, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditQuery } from '../../api/account.ts'
import { appsQuery, authorizationsQuery } from '../../api/oauth-apps.ts'
import { keysQuery } from '../../api/api-keys.ts'
import { membersQuery } from '../../api/members.ts'
import { useAccess } from '../auth/use-access.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { auditSubjects } from '../../messages/audit-subjects.ts'
import { auditSubjectOf, describeAuditEntry } from '../../messages/audit.ts'
import { omit } from '../../lib/omit.ts'
import { AccountTabs } from './account-tabs.tsx'
import styles from './account.module.css'

const route = getRouteApi('/app/account/audit')

const titles = {
  'sign-in': 'Security',
  keys: 'Keys',
  apps: 'Apps',
  webhooks: 'Webhooks',
  members: 'Members',
  account: 'Account',
}

export function AuditPage() {
  const { before, about } = route.useSearch()
  const navigate = route.useNavigate()
  const { canExport } = useAccess()
  const audit = useQuery(auditQuery(before))
  const next = audit.data?.next ?? null
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Sign-ins, members, credentials, webhooks, secrets, replays and revealed data. Entries are immutable; export them to keep them longer."
        {...(canExport && {
          actions: (
            <Button component="a" href="/api/audit/export?format=csv" download variant="default">
              Export CSV
            </Button>
          ),
        })}
      />
      <AccountTabs current="audit" />
      <div className={styles.bar}>
        <SegmentedControl
          label="Category"
          choices={[undefined, ...auditSubjects].map((subject) => ({
            title: subject === undefined ? 'All' : titles[subject],
            isChosen: about === subject,
            choose: () =>
              void navigate({
                search: (now) => (subject === undefined ? omit(now, 'about') : { ...now, about: subject }),
              }),
          }))}
        />
      </div>
      <Panel isFlush>
        <Entries />
      </Panel>
      <nav className={styles.pages} aria-label="Audit log pages">
        {before === undefined ? (
          <span />
        ) : (
          <ButtonLink to="/account/audit" search={about === undefined ? {} : { about }} variant="default">
            Newest
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink
            to="/account/audit"
            search={{ ...(about !== undefined && { about }), before: next }}
            variant="default"
          >
            Older
          </ButtonLink>
        )}
      </nav>
    </>
  )
}

function Entries() {
  const { before, about } = route.useSearch()
  const audit = useQuery(auditQuery(before))
  const names = useNames()
  if (audit.data === undefined)
    return audit.isError ? (
      <ErrorState error={audit.error} retry={() => void audit.refetch()} />
    ) : (
      <ul className={styles.entries} aria-busy>
        {Array.from({ length: 8 }, (_, index) => (
          <li key={index} className={styles.entry}>
            <Skeleton height={12} my={6} width="55%" />
          </li>
        ))}
      </ul>
    )
  const entries = audit.data.entries.filter((entry) => about === undefined || auditSubjectOf(entry) === about)
  if (entries.length === 0)
    return (
      <EmptyState icon={<IconHistory size={28} stroke={1.5} />} title="No matching entries">
        {audit.data.next === null ? 'There are no older entries.' : 'Older pages may contain some.'}
      </EmptyState>
    )
  return (
    <ul className={styles.entries}>
      {entries.map((entry) => {
        const { actor, action, details } = describeAuditEntry(entry, names)
        return (
          <li key={entry.id} className={styles.entry}>
            <p className={styles.rule}>
              <strong>
                <bdi>{actor}</bdi>
              </strong>{' '}
              <bdi>{action}</bdi>
            </p>
            <span className={styles.when}>
              <RelativeTime at={entry.at} />
            </span>
            {details !== '' && <p className={styles.detail}>{details}</p>}
          </li>
        )
      })}
    </ul>
  )
}

/** Names of existing keys, apps and users, by audit subject. */
function useNames(): ReadonlyMap<string, string> {
  const members = useQuery(membersQuery).data ?? []
  const keys = useQuery(keysQuery).data ?? []
  const apps = useQuery(appsQuery).data ?? []
  const authorizations = useQuery(authorizationsQuery).data ?? []
  return new Map([
    ...members.map(({ login_id: id, alias }) => [`login:${id}`, alias] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
    ...authorizations.map(({ app }) => [`app:${app.id}`, app.name] as const),
    ...apps.map(({ id, name }) => [`app:${id}`, name] as const),
  ])
}
