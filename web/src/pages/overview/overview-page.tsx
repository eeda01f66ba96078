/** The start: what needs attention, in sentences with a link; then what to do next, with a line that works. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { authorizationsQuery } from '../../api/apps.ts'
import { deprecatedUsesQuery, keysQuery, stateOf } from '../../api/keys.ts'
import { useSession } from '../../frame/session-context.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useNow } from '../../parts/use-now.ts'
import { findAttention } from './attention.ts'
import { NextSteps } from './next-steps.tsx'
import styles from './overview.module.css'

export function OverviewPage() {
  const { account, login } = useSession()
  const now = useNow()
  const keys = useQuery(keysQuery)
  const uses = useQuery(deprecatedUsesQuery)
  const authorizations = useQuery(authorizationsQuery)
  const failed = [keys, uses, authorizations].find((query) => query.isError)
  const isLoaded = keys.data !== undefined && uses.data !== undefined
  const attention = isLoaded ? findAttention({ keys: keys.data, uses: uses.data, login, now }) : []

  return (
    <>
      <PageHeader
        title="Overview"
        about={
          <>
            What <bdi>{account.name}</bdi> has here, and what to do next.
          </>
        }
      />
      <section className={styles.attention} aria-label="What needs attention">
        {failed !== undefined && (
          <Panel>
            <ErrorState error={failed.error} retry={() => void failed.refetch()} />
          </Panel>
        )}
        {!isLoaded && failed === undefined && <Skeleton height={52} radius="md" />}
        {isLoaded && attention.length === 0 && (
          <Notice tone="good" title="All quiet.">
            Nothing needs your attention.
          </Notice>
        )}
        {attention.map(({ id, tone, title, words, link, action }) => (
          <Notice
            key={id}
            tone={tone}
            title={title}
            actions={
              <ButtonLink {...link} variant="default" size="xs">
                {action}
              </ButtonLink>
            }
          >
            {words}
          </Notice>
        ))}
      </section>
      <div className={styles.figures}>
        <Figure
          title="Keys in use"
          count={keys.data?.filter((key) => stateOf(key, now) === 'active').length}
          link={{ to: '/keys' }}
        />
        <Figure
          title="Apps with access"
          count={authorizations.data?.length}
          link={{ to: '/apps', search: { tab: 'access' } }}
        />
        <Figure
          title="Second factor"
          count={login.second_factor ? 'On' : 'Off'}
          link={{ to: '/account', hash: 'second-factor' }}
        />
      </div>
      <NextSteps hasKey={keys.data?.some((key) => stateOf(key, now) === 'active') ?? true} />
    </>
  )
}

interface FigureProps {
  title: string
  count: number | string | undefined
  link: LinkProps
}

function Figure({ title, count, link }: FigureProps) {
  return (
    <Link className={styles.figure} {...link}>
      <span className={styles.figureTitle}>{title}</span>
      <span className={styles.figureCount}>{count ?? <Skeleton height={24} width={40} />}</span>
    </Link>
  )
}
