/** Subjects that the audit log can be filtered by. Apart from its texts, because the router needs them at first load. */
export const auditSubjects = ['sign-in', 'keys', 'apps', 'webhooks', 'members', 'account'] as const
export type AuditSubject = (typeof auditSubjects)[number]
