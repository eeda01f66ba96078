/** Names and descriptions of roles and rights. */
import type { Role } from '../api/client.ts'

interface RoleText {
  label: string
  /** Each role includes those before it, so it names only what it adds. */
  description: string
}

export const roleText: Record<Role, RoleText> = {
  viewer: { label: 'Viewer', description: 'Sees webhooks, replays, and events with masked data' },
  support: { label: 'Support', description: 'Sends test events and replays single deliveries' },
  developer: {
    label: 'Developer',
    description: 'Manages webhooks, consumers and replays, creates API keys and apps',
  },
  admin: {
    label: 'Admin',
    description: 'Manages members, all keys and apps and the account, reads the audit log',
  },
  owner: { label: 'Owner', description: 'Transfers the ownership' },
}

export const rightText = {
  can_reveal: {
    label: 'Reveal personal data',
    description: 'Shows phone numbers, message texts and requests unmasked. The audit log records it.',
  },
  can_export: {
    label: 'Export data',
    description: 'Downloads events and the audit log as files, which Hookline no longer protects.',
  },
}

/** Lists the rights of a member in a table cell. */
export function describeRights(rights: { can_reveal: boolean; can_export: boolean }): string {
  const given = [rights.can_reveal && 'Reveal', rights.can_export && 'Export'].filter(
    (text) => text !== false,
  )
  return given.length === 0 ? 'None' : given.join(', ')
}
