/** Who changed what, newest first; the part and the page of it stand in the address. */
import { Button, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditQuery } from '../../api/account.ts'
import { appsQuery, authorizationsQuery } from '../../api/apps.ts'
import { keysQuery } from '../../api/keys.ts'
import { useSession } from '../../frame/session-context.ts'
import { Choices } from '../../parts/choices.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { auditSubjectOf, auditSubjects, auditWords } from '../../words/audit.ts'
import { without } from '../../words/without.ts'
import { AccountTabs } from './account-tabs.tsx'
import styles from './account.module.css'

const route = getRouteApi('/area/account/audit')

const titles = {
  'sign-in': 'Sign-in',
  keys: 'Keys',
  apps: 'Apps',
  webhooks: 'Webhooks',
  account: 'Account',
}

export function AuditPage() {
  const { before, about } = route.useSearch()
  const navigate = route.useNavigate()
  const audit = useQuery(auditQuery(before))
  const next = audit.data?.next ?? null
  return (
    <>
      <PageHeader
        title="Audit log"
        about="Who changed what in this account. Entries are never changed; export them to keep them for longer than Hookline does."
        actions={
          <Button component="a" href="/api/audit/export?format=csv" download variant="default">
            Export CSV
          </Button>
        }
      />
      <AccountTabs current="audit" />
      <div className={styles.bar}>
        <Choices
          label="About"
          choices={[undefined, ...auditSubjects].map((subject) => ({
            title: subject === undefined ? 'Everything' : titles[subject],
            isChosen: about === subject,
            choose: () =>
              void navigate({
                search: (now) => (subject === undefined ? without(now, 'about') : { ...now, about: subject }),
              }),
          }))}
        />
      </div>
      <Panel isFlush>
        <Entries />
      </Panel>
      <nav className={styles.pages} aria-label="Pages of the audit log">
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
  const shown = audit.data.entries.filter((entry) => about === undefined || auditSubjectOf(entry) === about)
  if (shown.length === 0)
    return (
      <EmptyState icon={<IconHistory size={28} stroke={1.5} />} title="Nothing of this kind here">
        {audit.data.next === null
          ? 'There are no older entries.'
          : 'Older entries may have some: go on to them below.'}
      </EmptyState>
    )
  return (
    <ul className={styles.entries}>
      {shown.map((entry) => {
        const { who, deed, rest } = auditWords(entry, names)
        return (
          <li key={entry.id} className={styles.entry}>
            <p className={styles.sentence}>
              <strong>
                <bdi>{who}</bdi>
              </strong>{' '}
              <bdi>{deed}</bdi>
            </p>
            <span className={styles.when}>
              <Time at={entry.at} />
            </span>
            {rest !== '' && <p className={styles.detail}>{rest}</p>}
          </li>
        )
      })}
    </ul>
  )
}

/** The names of what entries are about, as far as they are still known. */
function useNames(): ReadonlyMap<string, string> {
  const { login } = useSession()
  const keys = useQuery(keysQuery).data ?? []
  const apps = useQuery(appsQuery).data ?? []
  const authorizations = useQuery(authorizationsQuery).data ?? []
  return new Map([
    [`login:${login.id}`, login.alias],
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
    ...authorizations.map(({ app }) => [`app:${app.id}`, app.name] as const),
    ...apps.map(({ id, name }) => [`app:${id}`, name] as const),
  ])
}
