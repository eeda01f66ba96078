/** Requires single sign-on, with the owners who can sign in without, or lifts the requirement. */
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '../../../api/members.ts'
import { type Connection, identitiesQuery, useChangeSsoSettings } from '../../../api/sso.ts'
import { plural } from '../../../lib/format-number.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import form from '../../../ui/form/form.module.css'
import { TextLink } from '../../../ui/layout/links.tsx'
import { PasswordPrompt } from '../../auth/password-prompt.tsx'
import { useSession } from '../../auth/session-context.ts'
import styles from './sso.module.css'

interface RequireDialogProps {
  connection: Connection
  members: readonly Member[]
  breakGlassIds: readonly number[]
  close: () => void
}

export function RequireDialog({ connection, members, breakGlassIds, close }: RequireDialogProps) {
  const { name, is_required: isRequired } = connection
  const { login } = useSession()
  const change = useChangeSsoSettings()
  const [chosen, setChosen] = useState(breakGlassIds.map(String))
  const owners = members.filter(({ role }) => role === 'owner')
  const isEligible = owners.some(({ second_factor: isOn }) => isOn)
  return (
    <PasswordPrompt
      title={isRequired ? 'Change break-glass owners' : 'Require single sign-on?'}
      action={isRequired ? 'Save owners' : 'Require single sign-on'}
      isDanger={!isRequired}
      act={async (confirmation) => {
        await change.mutateAsync({
          ...(!isRequired && { is_required: true }),
          break_glass_login_ids: chosen.map(Number),
          ...confirmation,
        })
        close()
        toast(isRequired ? 'Break-glass owners saved' : 'Single sign-on required')
      }}
      close={close}
    >
      <div className={form.wide}>
        {!isRequired && (
          <p>
            Members then enter this account only with <bdi>{name}</bdi>. Sessions that started with a password
            end immediately, and the deprecated credential <code>u</code> and <code>p</code> stops working.
            API keys and apps continue.
          </p>
        )}
        {!isRequired && <Unlinked members={members} />}
        <Checkbox.Group
          label="Break-glass owners"
          description="Can sign in with password and two-factor authentication if the provider fails. Choose at least one."
          value={chosen}
          onChange={setChosen}
        >
          <div className={styles.choices}>
            {owners.map(({ login_id: id, alias, second_factor: isOn }) => (
              <Checkbox
                key={id}
                value={String(id)}
                label={<bdi>{alias}</bdi>}
                disabled={!isOn && !chosen.includes(String(id))}
                {...(!isOn && { description: 'Two-factor authentication is off.' })}
              />
            ))}
          </div>
        </Checkbox.Group>
        {!isEligible && (
          <Notice tone="warning" title="No owner has two-factor authentication">
            <TextLink to="/account" hash="second-factor">
              Turn it on
            </TextLink>{' '}
            first.
          </Notice>
        )}
        {isEligible && !chosen.includes(String(login.id)) && (
          <Notice tone="warning" title="Your session ends">
            You are not a break-glass owner, so you sign in with <bdi>{name}</bdi> next.
          </Notice>
        )}
      </div>
    </PasswordPrompt>
  )
}

/** Members who have never signed in with the provider may find out too late that they cannot. */
function Unlinked({ members }: { members: readonly Member[] }) {
  const identities = useQuery(identitiesQuery).data
  if (identities === undefined) return null
  const linked = new Set(identities.map(({ login_id: id }) => id))
  const count = members.filter(({ login_id: id }) => !linked.has(id)).length
  if (count === 0) return null
  return (
    <Notice tone="warning" title={`${plural(count, 'member')} without a link to the provider`}>
      They link their logins at their first sign-in with the provider: automatically by a verified email of a
      verified domain, otherwise with their password.
    </Notice>
  )
}

export function LiftDialog({ close }: { close: () => void }) {
  const change = useChangeSsoSettings()
  return (
    <PasswordPrompt
      title="Make single sign-on optional?"
      action="Make optional"
      isDanger
      act={async (confirmation) => {
        await change.mutateAsync({ is_required: false, ...confirmation })
        close()
        toast('Single sign-on is optional')
      }}
      close={close}
    >
      Members can then sign in with their passwords again, also users whom your provider no longer knows.
    </PasswordPrompt>
  )
}
