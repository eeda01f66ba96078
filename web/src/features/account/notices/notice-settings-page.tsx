/** Which notices the user gets by email, muted webhooks, and the channels of the account. */
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { SettingsRow } from '../../../ui/layout/settings-row.tsx'
import { AccountTabs } from '../account-tabs.tsx'
import { Channels } from './channels.tsx'
import { MutedWebhooks } from './muted-webhooks.tsx'
import { Preferences } from './preferences.tsx'
import { TestEmail } from './test-email.tsx'

export function NoticeSettingsPage() {
  return (
    <>
      <PageHeader title="Notice settings" />
      <AccountTabs current="notices" />
      <SettingsRow
        title="Your emails"
        description="Only for you, in this account. Hookline always emails you about sign-ins and changes of your login."
      >
        <Preferences />
        <TestEmail />
      </SettingsRow>
      <SettingsRow title="Muted webhooks" description="You get no emails about them. Other members do.">
        <MutedWebhooks />
      </SettingsRow>
      <SettingsRow
        id="channels"
        title="Channels"
        description="Further addresses and chat channels that get notices of this account."
      >
        <Channels />
      </SettingsRow>
    </>
  )
}
