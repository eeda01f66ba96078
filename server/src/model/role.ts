/** Roles of members, and the rights that are granted apart from them. Pure. */
/** From least to most access. Each role includes those before it. */
export const roles = ['viewer', 'support', 'developer', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

/** The membership of a user in an account. */
export interface Member {
  role: Role
  /** May see personal data unmasked: numbers, texts, requests. */
  canReveal: boolean
  /** May download events and the audit log. */
  canExport: boolean
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}

/** Whether the role is the needed one or includes it. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** Whether a member still has the rights that they had. */
export function hasAllRights(now: Member | undefined, before: Member): boolean {
  return (
    now !== undefined &&
    includesRole(now.role, before.role) &&
    (now.canReveal || !before.canReveal) &&
    (now.canExport || !before.canExport)
  )
}

/** Whether a member may change or remove one with this role: admins manage those who are not above them. */
export function mayManage(manager: Member, role: Role): boolean {
  return includesRole(manager.role, 'admin') && includesRole(manager.role, role)
}

/** Whether one member may give another this role and these rights: nobody gives more than they have. */
export function mayGrant(granter: Member, granted: Member): boolean {
  return (
    mayManage(granter, granted.role) &&
    (granter.canReveal || !granted.canReveal) &&
    (granter.canExport || !granted.canExport)
  )
}
