/** What the role and the rights of a member allow. The service decides. Pages hide what it would reject. */
import type { CallMeta, Role, Session } from './client.ts'

/** From least to most access. Each role includes those before it. */
export const roles = ['viewer', 'support', 'developer', 'admin', 'owner'] as const satisfies readonly Role[]

/** The least role for pages that not every member may open, by the path of their route. */
const pageRoles: Readonly<Record<string, Role>> = {
  '/webhooks/new': 'developer',
  '/webhooks/test-receiver': 'developer',
  '/webhooks/$id/edit': 'developer',
  '/keys': 'developer',
  '/apps': 'developer',
  '/apps/$id': 'developer',
  '/account/sso': 'admin',
  '/account/audit': 'admin',
}

export function pageRole(path: string): Role {
  return pageRoles[path] ?? 'viewer'
}

export interface Access {
  role: Role
  /** Whether the role is the needed one or includes it. */
  hasRole: (needed: Role) => boolean
  /** May see personal data unmasked. */
  canReveal: boolean
  /** May download events and the audit log. */
  canExport: boolean
  /** Whether the member may open a page. */
  mayOpen: (path: string) => boolean
  /** Whether the service accepts the call of a query. */
  mayCall: (query: { meta?: CallMeta | undefined }) => boolean
  /** Whether the member may give others the role, and change or remove those who have it. */
  mayManage: (role: Role) => boolean
  /** Whether API keys and apps of the member can have the scope. They get unmasked data. */
  mayGive: (scope: string) => boolean
}

export function accessOf({ role, can_reveal: canReveal, can_export: canExport }: Session['member']): Access {
  const hasRole = (needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)
  const hasRights = canReveal && canExport
  return {
    role,
    hasRole,
    canReveal,
    canExport,
    mayOpen: (path) => hasRole(pageRole(path)),
    mayCall: ({ meta }) => hasRole(meta?.role ?? 'viewer'),
    mayManage: (other) => hasRole('admin') && hasRole(other),
    mayGive(scope) {
      if (scope === 'all') return hasRole('admin') && hasRights
      return hasRole('developer') && (hasRights || scope !== 'events:read')
    },
  }
}
