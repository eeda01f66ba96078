/** Fields for the role and the rights of a member. Offers only what the user may give. */
import { Checkbox, Radio } from '@mantine/core'
import { accessOf, roles } from '../../../api/access.ts'
import type { Rights } from '../../../api/members.ts'
import { rightText, roleText } from '../../../messages/roles.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useAccess } from '../../auth/use-access.ts'
import styles from './members.module.css'

interface RightsFieldsProps {
  value: Rights
  onChange: (value: Rights) => void
  /** Rights that the member has. A user without a right cannot give it, but can take it away. */
  given?: Pick<Rights, 'can_reveal' | 'can_export'>
}

export function RightsFields({ value, onChange, given }: RightsFieldsProps) {
  const { mayManage, canReveal, canExport } = useAccess()
  const mayGive = { can_reveal: canReveal, can_export: canExport }
  return (
    <>
      <Radio.Group
        label="Role"
        description="Each role includes those before it."
        value={value.role}
        onChange={(chosen) => {
          const role = roles.find((name) => name === chosen)
          if (role !== undefined) onChange({ ...value, role })
        }}
      >
        <div className={styles.choices}>
          {roles
            .filter((role) => mayManage(role))
            .map((role) => (
              <Radio
                key={role}
                value={role}
                label={roleText[role].label}
                description={roleText[role].description}
              />
            ))}
        </div>
      </Radio.Group>
      <div className={styles.choices} role="group" aria-label="Rights">
        {(['can_reveal', 'can_export'] as const).map((right) => (
          <Checkbox
            key={right}
            label={rightText[right].label}
            description={
              mayGive[right]
                ? rightText[right].description
                : 'You do not have this right, so you cannot give it.'
            }
            checked={value[right]}
            disabled={!mayGive[right] && given?.[right] !== true}
            onChange={(event) => onChange({ ...value, [right]: event.currentTarget.checked })}
          />
        ))}
      </div>
      {accessOf(value).hasRole('developer') && !(value.can_reveal && value.can_export) && (
        <Notice tone="info" title="Webhooks always get complete events">
          This role decides where they are sent.
        </Notice>
      )}
    </>
  )
}
