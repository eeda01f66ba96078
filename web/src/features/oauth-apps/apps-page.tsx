/** Own OAuth apps and authorized apps. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { appsQuery } from '../../api/oauth-apps.ts'
import { LinkTabs } from '../../ui/layout/link-tabs.tsx'
import { TabLink, TextLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { AuthorizedApps } from './authorized-apps.tsx'
import { CreateApp } from './create-app.tsx'
import { MyApps } from './my-apps.tsx'

const route = getRouteApi('/app/apps')

export function AppsPage() {
  const { tab, new: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const hasNone = useQuery(appsQuery).data?.length === 0
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ search: { new: true } })}>
      Register app
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Apps"
        description={
          <>
            OAuth 2.0 apps act for accounts that authorize them, without a password or API key.{' '}
            <TextLink to="/guides/$guide" params={{ guide: 'oauth' }}>
              OAuth guide
            </TextLink>
          </>
        }
        {...(tab === undefined && !hasNone && { actions: create })}
      />
      <LinkTabs label="Apps">
        <TabLink to="/apps" isCurrent={tab === undefined}>
          My apps
        </TabLink>
        <TabLink to="/apps" search={{ tab: 'access' }} isCurrent={tab === 'access'}>
          Authorized apps
        </TabLink>
      </LinkTabs>
      {tab === 'access' ? <AuthorizedApps /> : <MyApps create={create} />}
      {isCreating === true && <CreateApp close={() => void navigate({ search: {}, replace: true })} />}
    </>
  )
}
