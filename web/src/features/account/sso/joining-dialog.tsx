/** Changes whether new users join by signing in. */
import { Checkbox, Radio } from '@mantine/core'
import { useState } from 'react'
import { type Connection, useChangeSsoSettings } from '../../../api/sso.ts'
import { rightText, roleText } from '../../../messages/roles.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import form from '../../../ui/form/form.module.css'
import { PasswordPrompt } from '../../auth/password-prompt.tsx'
import styles from './sso.module.css'

const roles = ['viewer', 'support', 'developer'] as const

export function JoiningDialog({ connection, close }: { connection: Connection; close: () => void }) {
  const change = useChangeSsoSettings()
  const [role, setRole] = useState(connection.default_role)
  const [rights, setRights] = useState({
    can_reveal: connection.can_reveal,
    can_export: connection.can_export,
  })
  return (
    <PasswordPrompt
      title="Change new members"
      action="Save changes"
      act={async (confirmation) => {
        await change.mutateAsync({ default_role: role, ...(role !== null && rights), ...confirmation })
        close()
        toast(role === null ? 'New users need an invitation' : `New users join as ${roleText[role].label}`)
      }}
      close={close}
    >
      <div className={form.wide}>
        <Radio.Group
          label="Role of new users"
          description="For users with a verified email of a verified domain, at their first sign-in. A removed member needs an invitation."
          value={role ?? ''}
          onChange={(chosen) => setRole(roles.find((name) => name === chosen) ?? null)}
        >
          <div className={styles.choices}>
            <Radio value="" label="Nobody joins" description="Only members and invited users sign in." />
            {roles.map((name) => (
              <Radio
                key={name}
                value={name}
                label={roleText[name].label}
                description={roleText[name].description}
              />
            ))}
          </div>
        </Radio.Group>
        {role !== null && (
          <div className={styles.choices} role="group" aria-label="Rights">
            {(['can_reveal', 'can_export'] as const).map((right) => (
              <Checkbox
                key={right}
                label={rightText[right].label}
                description={rightText[right].description}
                checked={rights[right]}
                onChange={(event) => setRights({ ...rights, [right]: event.currentTarget.checked })}
              />
            ))}
          </div>
        )}
      </div>
    </PasswordPrompt>
  )
}
