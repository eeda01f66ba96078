/** One's own login and account. */
import { PageHeader } from '../../parts/page-header.tsx'
import { SettingsRow } from '../../parts/settings-row.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForms } from './profile-forms.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" />
      <AccountTabs current="account" />
      <SettingsRow title="Profile" about="How this account and you are called here.">
        <ProfileForms />
      </SettingsRow>
      <SettingsRow title="Password" about="A new one ends all your other sessions.">
        <PasswordForm />
      </SettingsRow>
      <SettingsRow
        id="second-factor"
        title="Second factor"
        about="A code from an app on your phone, asked for besides the password when you sign in."
      >
        <SecondFactor />
      </SettingsRow>
      <SettingsRow
        title="Sessions"
        about="Browsers in which you are signed in. End what you do not know, then change your password."
      >
        <Sessions />
      </SettingsRow>
    </>
  )
}
