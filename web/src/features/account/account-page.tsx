/** Profile and security settings of the user and account. */
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { SettingsRow } from '../../ui/layout/settings-row.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useSession } from '../auth/session-context.ts'
import { useAccess } from '../auth/use-access.ts'
import styles from './account.module.css'
import { AccountTabs } from './account-tabs.tsx'
import { DefaultCountry } from './default-country.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForms } from './profile-forms.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SigningKey } from './signing-key.tsx'
import { Sessions } from './sessions.tsx'
import { OwnIdentity } from './sso/own-identity.tsx'
import { useOwnIdentity } from './sso/use-own-identity.ts'

export function AccountPage() {
  const { hasRole } = useAccess()
  const { sso } = useSession()
  const identity = useOwnIdentity()
  return (
    <>
      <PageHeader title="Account" />
      <AccountTabs current="account" />
      {sso !== null && (
        <div className={styles.bar}>
          <Notice
            tone="info"
            title={
              <>
                You signed in with <bdi>{sso.name}</bdi>
              </>
            }
          >
            To change your login, sign in with your password. Without a password, first set one with “Forgot
            password?”.
          </Notice>
        </div>
      )}
      <SettingsRow title="Profile" description="Account name, email and alias.">
        <ProfileForms />
      </SettingsRow>
      <SettingsRow
        title="Default country"
        description="Event searches understand numbers in the national form of this country."
      >
        <DefaultCountry />
      </SettingsRow>
      {sso === null && (
        <>
          <SettingsRow title="Password" description="A new password signs out all other sessions.">
            <PasswordForm />
          </SettingsRow>
          <SettingsRow
            id="second-factor"
            title="Two-factor authentication"
            description="Requires a code from an authenticator app, or a passkey, in addition to your password."
          >
            <SecondFactor />
          </SettingsRow>
          <SettingsRow
            id="passkeys"
            title="Passkeys"
            description="Sign in without password and code, or use a passkey in place of the code."
          >
            <Passkeys />
          </SettingsRow>
        </>
      )}
      {identity !== null && (
        <SettingsRow title="Single sign-on" description="Your user at the identity provider of this account.">
          <OwnIdentity identity={identity} />
        </SettingsRow>
      )}
      {hasRole('developer') && (
        <SettingsRow
          id="signing-key"
          title="Signing key"
          description="Signs the X-Signature header of deliveries and, if you send one, of your API calls. The audit log records every reveal."
        >
          <SigningKey />
        </SettingsRow>
      )}
      {sso === null && (
        <SettingsRow
          title="Sessions"
          description="Browsers that are signed in. Sign out unknown sessions, then change your password."
        >
          <Sessions />
        </SettingsRow>
      )}
    </>
  )
}
