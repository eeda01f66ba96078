/** Apps: those of one's own, and those of others that were let in. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { appsQuery } from '../../api/apps.ts'
import { LinkTabs } from '../../parts/link-tabs.tsx'
import { TabLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { AppsWithAccess } from './apps-with-access.tsx'
import { CreateApp } from './create-app.tsx'
import { MyApps } from './my-apps.tsx'

const route = getRouteApi('/area/apps')

export function AppsPage() {
  const { tab, new: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const hasNone = useQuery(appsQuery).data?.length === 0
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ search: { new: true } })}>
      New app
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Apps"
        about="An app acts for accounts whose owners let it in, with OAuth 2.0. Nobody gives it a password or a key."
        {...(tab === undefined && !hasNone && { actions: create })}
      />
      <LinkTabs label="Apps">
        <TabLink to="/apps" isCurrent={tab === undefined}>
          My apps
        </TabLink>
        <TabLink to="/apps" search={{ tab: 'access' }} isCurrent={tab === 'access'}>
          With access
        </TabLink>
      </LinkTabs>
      {tab === 'access' ? <AppsWithAccess /> : <MyApps create={create} />}
      {isCreating === true && <CreateApp close={() => void navigate({ search: {}, replace: true })} />}
    </>
  )
}
