/** What an invitation gives access to, and who sent it. */
import type { InvitationDetail } from '../../../api/members.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { roleText } from '../../../messages/roles.ts'
import styles from './join.module.css'

export function InvitationFacts({ invitation }: { invitation: InvitationDetail }) {
  const { account_name: name, role, invited_by: sender, expires_at: expiresAt } = invitation
  const { label, description } = roleText[role]
  return (
    <dl className={styles.facts}>
      <dt>Account</dt>
      <dd>
        <bdi>{name}</bdi>
      </dd>
      <dt>Role</dt>
      <dd>
        {label}
        <p className={styles.muted}>{description}</p>
      </dd>
      <dt>Invited by</dt>
      <dd>
        <bdi>{sender}</bdi>
      </dd>
      <dt>Expires</dt>
      <dd>{formatDate(new Date(expiresAt))}</dd>
    </dl>
  )
}
