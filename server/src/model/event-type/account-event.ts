/** Names of the types of account events. */
export const accountEventTypes = [
  'webhook.failing',
  'webhook.recovered',
  'webhook.disabled',
  'delivery.lost',
  'delivery.expiring',
  'certificate.expiring',
  'key.expiring',
] as const

export type AccountEventType = (typeof accountEventTypes)[number]

export function isAccountEvent(type: string): type is AccountEventType {
  return accountEventTypes.some((name) => name === type)
}
