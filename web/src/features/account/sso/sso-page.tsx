/** Single sign-on of the account: the identity provider, domains, and who signs in with it. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Sso, ssoQuery } from '../../../api/sso.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { SettingsRow } from '../../../ui/layout/settings-row.tsx'
import { useSession } from '../../auth/session-context.ts'
import account from '../account.module.css'
import { AccountTabs } from '../account-tabs.tsx'
import { Domains } from './domains.tsx'
import { Joining } from './joining.tsx'
import { LinkedUsers } from './linked-users.tsx'
import { NoSso } from './no-sso.tsx'
import { Provider } from './provider.tsx'
import { RemoveSso } from './remove-sso.tsx'
import { Requirement } from './requirement.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { useMayChangeSso } from './use-may-change-sso.ts'

export function SsoPage() {
  const { data, isError, error, refetch } = useQuery(ssoQuery)
  const mayChange = useMayChangeSso()
  const { sso } = useSession()
  return (
    <>
      <PageHeader
        title="Single sign-on"
        description="Members sign in with the identity provider of your organization"
      />
      <AccountTabs current="sso" />
      {!mayChange && (
        <div className={account.bar}>
          <Notice
            tone="info"
            title={
              sso === null
                ? 'Only owners with all rights can change single sign-on'
                : 'Only owners who signed in with a password or passkey can change single sign-on'
            }
          >
            An identity provider can sign in as any member
            {sso !== null && ', so it cannot change its own settings'}.
          </Notice>
        </div>
      )}
      {data === undefined && !isError && <Skeleton height={320} radius="md" />}
      {data === undefined && isError && <ErrorState error={error} retry={() => void refetch()} />}
      {data !== undefined && <Settings sso={data} />}
    </>
  )
}

function Settings({ sso }: { sso: Sso }) {
  const { connection, domains } = sso
  return (
    <>
      {connection === null && <NoSso redirectUri={sso.redirect_uri} />}
      {connection !== null && (
        <>
          <SettingsRow
            title="Identity provider"
            description="An OpenID Connect issuer and your client there."
          >
            <Provider connection={connection} redirectUri={sso.redirect_uri} />
          </SettingsRow>
          <SettingsRow
            title="Sign-in link"
            description="For your intranet or app launcher. With an email of a verified domain, users also find the provider on the sign-in page."
          >
            <SignInLink connection={connection} />
          </SettingsRow>
        </>
      )}
      {/* Domains stay when the connection is removed. */}
      {(connection !== null || domains.length > 0) && (
        <SettingsRow
          title="Domains"
          description="Emails of a verified domain lead to your provider. Members with such an email are linked at their first sign-in."
        >
          <Domains domains={domains} />
        </SettingsRow>
      )}
      {connection !== null && (
        <>
          <SettingsRow
            title="New members"
            description="Whether users of verified domains join without an invitation."
          >
            <Joining connection={connection} domains={domains} />
          </SettingsRow>
          <SettingsRow
            title="Requirement"
            description="Whether members enter this account only with single sign-on. API keys and apps continue."
          >
            <Requirement connection={connection} breakGlassIds={sso.break_glass_login_ids} />
          </SettingsRow>
          <SettingsRow
            title="Linked users"
            description="Members who have signed in with the provider, or have linked their login."
          >
            <LinkedUsers />
          </SettingsRow>
          <RemoveSso connection={connection} />
        </>
      )}
    </>
  )
}
