import { useAccess } from '../auth/use-access.ts'
import { LinkTabs } from '../../ui/layout/link-tabs.tsx'
import { TabLink } from '../../ui/layout/links.tsx'

export function AccountTabs({ current }: { current: 'account' | 'members' | 'sso' | 'notices' | 'audit' }) {
  const { mayOpen } = useAccess()
  return (
    <LinkTabs label="Account">
      <TabLink to="/account" isCurrent={current === 'account'}>
        Profile and security
      </TabLink>
      <TabLink to="/account/members" isCurrent={current === 'members'}>
        Members
      </TabLink>
      {mayOpen('/account/sso') && (
        <TabLink to="/account/sso" isCurrent={current === 'sso'}>
          Single sign-on
        </TabLink>
      )}
      <TabLink to="/account/notices" isCurrent={current === 'notices'}>
        Notices
      </TabLink>
      {mayOpen('/account/audit') && (
        <TabLink to="/account/audit" isCurrent={current === 'audit'}>
          Audit log
        </TabLink>
      )}
    </LinkTabs>
  )
}
